import { createServer } from 'node:http';
import { createServer as createOrders } from './generated/orders/server.js';
import { nodeListener } from './generated/server-runtime/node.js';
import { handlersOf } from './handlers.js';
import { PrintShop } from './orders.js';

const orders = createOrders(handlersOf(new PrintShop()), {
  // Each token is a caller here; a real server would look it up.
  authenticate: ({ token }) => (token === undefined ? undefined : { id: token }),
});
const port = Number(process.env['PORT'] ?? 4720);
createServer(nodeListener(orders)).listen(port, () => console.log(`orders on http://localhost:${port}`));
