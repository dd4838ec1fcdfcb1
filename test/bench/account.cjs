/*
 * Preloaded into every measured process: reports its CPU time when asked over IPC, or its memory after a collection of garbage;
 * and when it ends, its CPU time and its largest memory.
 */
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const cpuMicroseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
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
  if (question === 'memory') void collectedBytes().then((bytes) => process.send?.(bytes));
});
process.channel?.unref();

const file = process.env['ACCOUNT_FILE'];
if (file !== undefined)
  process.on('exit', () => {
    const largestBytes = process.resourceUsage().maxRSS * 1024;
    writeFileSync(file, JSON.stringify({ cpuMicroseconds: cpuMicroseconds(), largestBytes }));
  });
