export { inProcess } from '../../cli/in-process.ts';
