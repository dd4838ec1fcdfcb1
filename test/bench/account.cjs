/*
 * Preloaded into every measured process: reports its CPU time when asked over IPC, or that of its main thread, or its memory after a collection of garbage;
 * and when it ends, its CPU time and its largest memory.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const cpuMicroseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Of the main thread alone; Linux counts it in hundredths of a second. -1 where the system does not tell. */
const threadMicroseconds = () => {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
    // What follows the name, which is in parentheses: fields 3 and on of proc(5).
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return -1;
  }
};

/** Free pages are given back a while after a collection. */
const collectedBytes = async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return process.memoryUsage.rss();
};

process.on('message', (question) => {
  if (question === 'cpu') process.send?.(cpuMicroseconds());
  if (question === 'thread') process.send?.(threadMicroseconds());
  if (question === 'memory') void collectedBytes().then((bytes) => process.send?.(bytes));
});
process.channel?.unref();

const file = process.env['ACCOUNT_FILE'];
if (file !== undefined)
  process.on('exit', () => {
    const largestBytes = process.resourceUsage().maxRSS * 1024;
    writeFileSync(file, JSON.stringify({ cpuMicroseconds: cpuMicroseconds(), largestBytes }));
  });
