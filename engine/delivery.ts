/** The delivery of an answer. `short`: only a part was sent. `dropped`: nothing was sent. */
export type Delivery = 'delivered' | 'short' | 'dropped';
