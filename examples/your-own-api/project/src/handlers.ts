import { type OrdersHandlers, Refusal } from './generated/orders/server.js';
import { type Order, PrintShop } from './orders.js';

/**
 * The effects of the print orders. The generated server handles keys, tags, page sizes, errors and
 * credentials.
 */
export function handlersOf(shop: PrintShop): OrdersHandlers {
  const found = (id: string): Order => {
    const order = shop.find(id);
    if (order === undefined) throw new Refusal('no_such_order', `There is no order ${id}.`, { status: 404 });
    return order;
  };
  return {
    listOrders: ({ cursor, limit = 2, state }) => {
      const orders = shop.all().filter((order) => state === undefined || order.state === state);
      const start = cursor === undefined ? 0 : orders.findIndex(({ id }) => id === cursor) + 1;
      if (cursor !== undefined && start === 0)
        throw new Refusal('no_such_cursor', 'No page has given this cursor.', { status: 400 });
      const items = orders.slice(start, start + limit);
      const last = items.at(-1);
      const more = start + limit < orders.length && last !== undefined;
      return {
        status: 200,
        body: { items, has_more: more, limit, ...(more ? { next_cursor: last.id } : {}) },
      };
    },
    placeOrder: ({ body }) => ({ status: 201, body: shop.place(body) }),
    getOrder: ({ orderId }) => ({ status: 200, body: found(orderId) }),
    watchOrder: ({ orderId }, { signal }) => {
      found(orderId);
      return { status: 200, events: eventsOf(shop.states(orderId, signal)) };
    },
  };
}

async function* eventsOf(
  states: AsyncIterable<Order['state']>,
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  for await (const state of states) yield { event: 'state', data: JSON.stringify({ state }) };
}
