export { inProcess } from '../../cli/mock/in-process.ts';
