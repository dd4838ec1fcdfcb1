/** A name without case and punctuation: `customer_id`, `customerId` and `Customer-ID` are `customerid`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
