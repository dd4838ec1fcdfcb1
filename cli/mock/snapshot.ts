import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { shellWord, typed } from '../../contract/index.ts';
import type { RestoredSnapshot, SnapshotFile, SnapshotList, SnapshotShape } from '../../mock/index.ts';
import { makeCommand } from '../command-line.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { DEFAULT_PORT } from './options.ts';
import { table } from '../terminal.ts';
import { readUserJson } from '../files/user-file.ts';

interface SnapshotOptions {
  readonly controlUrl?: string;
}

/** Named snapshots of a running mock, by its control API. */
export function mockSnapshotCommand(context: Context): Command {
  const { terminal } = context;
  const good = (text: string): void => {
    terminal.say(`${terminal.sign.good} ${text}`);
  };
  const command = makeCommand('snapshot', terminal).description(
    'save the state of a running mock under a name, and restore it later',
  );
  const add = (usage: string, description: string): Command => {
    const added = makeCommand(usage.split(' ')[0] ?? '', terminal)
      .description(description)
      .option(
        '--control-url <url>',
        `address of the control API, with its token (default: $TALLYSTICK_MOCK_CONTROL_URL, http://127.0.0.1:${DEFAULT_PORT + 1})`,
      );
    for (const argument of usage.split(' ').slice(1)) added.argument(argument);
    command.addCommand(added);
    return added;
  };

  add('save <name>', 'save the current state').action(async (name: string, options: SnapshotOptions) => {
    const { changes } = await send<SnapshotShape>(context, options, 'POST', 'snapshots', { name });
    good(
      `saved ${name}: ${changesInWords(changes)}. to restore it: ${typed(`mock snapshot load ${shellWord(name)}`)}`,
    );
  });
  add('load <name>', 'restore the state of a snapshot, including its time')
    .option('--keep-clock', 'do not change the clock: what has expired since the snapshot stays expired')
    .action(async (name: string, options: SnapshotOptions & { readonly keepClock?: true }) => {
      const { restored } = await send<RestoredSnapshot>(context, options, 'POST', pathOf(name), {
        do: 'restore',
        clock: options.keepClock === true ? 'keep' : 'restore',
      });
      good(`loaded ${name}: ${changesInWords(restored)}`);
    });
  add('list', 'list the snapshots')
    .option('--json', 'print the list as one JSON document')
    .action(async (options: SnapshotOptions & { readonly json?: true }) => {
      const list = await send<SnapshotList>(context, options, 'GET', 'snapshots');
      if (options.json === true)
        return terminal.result(JSON.stringify({ schemaVersion: 1, ...list }, undefined, 2));
      const rows = list.snapshots.map(({ name, at, changes, size }) => [
        name,
        new Date(at).toISOString(),
        changesInWords(changes),
        `${size} bytes`,
      ]);
      for (const line of table(rows)) terminal.result(line);
      if (rows.length === 0)
        terminal.say(
          `${terminal.sign.info} there are no snapshots; to save one: ${typed('mock snapshot save NAME')}`,
        );
      else if (!list.lasting)
        terminal.say(
          `${terminal.sign.info} these are in memory only; to keep them on disk: ${typed('mock --data FOLDER')}`,
        );
    });
  add('delete <name>', 'delete a snapshot').action(async (name: string, options: SnapshotOptions) => {
    await send(context, options, 'DELETE', pathOf(name));
    good(`deleted ${name}`);
  });
  add('export <name> [file]', 'write a snapshot to a file, or to stdout').action(
    async (name: string, file: string | undefined, options: SnapshotOptions) => {
      const snapshot = await send<SnapshotFile>(context, options, 'GET', pathOf(name));
      const text = JSON.stringify(snapshot, undefined, 2);
      if (file === undefined) return terminal.result(text);
      await writeFile(resolve(context.cwd, file), `${text}\n`).catch((cause: unknown) => {
        throw new CommandFailure(2, `${file} cannot be written`, [], { cause });
      });
      good(`${name} is in ${file}`);
    },
  );
  add(
    'import <file> [name]',
    'add a snapshot from a file; default for the name: the name of the file',
  ).action(async (file: string, name: string | undefined, options: SnapshotOptions) => {
    const wanted = name ?? basename(file, '.json');
    await send(
      context,
      options,
      'PUT',
      pathOf(wanted),
      await readUserJson(file, context, [
        `such a file comes from: ${typed('mock snapshot export NAME FILE')}`,
      ]),
    );
    good(`imported ${wanted}. to restore it: ${typed(`mock snapshot load ${shellWord(wanted)}`)}`);
  });
  add('reset', 'return to the initial state; snapshots are kept').action(async (options: SnapshotOptions) => {
    await send(context, options, 'POST', 'reset');
    good('the mock is in its initial state; its snapshots are kept');
  });
  return command;
}

// --- internal ---

function changesInWords(count: number): string {
  return count === 1 ? '1 change' : `${String(count)} changes`;
}

function pathOf(name: string): string {
  return `snapshots/${encodeURIComponent(name)}`;
}

async function send<Shape>(
  { environment }: Context,
  { controlUrl }: SnapshotOptions,
  method: string,
  path: string,
  body?: unknown,
): Promise<Shape> {
  const given = controlUrl ?? environment['TALLYSTICK_MOCK_CONTROL_URL'];
  const address = given ?? `http://127.0.0.1:${DEFAULT_PORT + 1}`;
  if (!URL.canParse(address))
    throw new CommandFailure(2, `${address} is not an address`, [
      'the mock prints it when it starts, as "Inspector"',
    ]);
  const url = new URL(address);
  const token = url.searchParams.get('token');
  const response = await fetch(new URL(`/control/v1/${path}`, url.origin), {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    const elsewhere = `to start one: ${typed('mock')}; if it is elsewhere, add --control-url`;
    throw new CommandFailure(3, `No mock answers at ${url.origin}`, [elsewhere], { cause });
  });
  const answer = (await response.json().catch(() => undefined)) as (Shape & { error?: string }) | undefined;
  if (answer === undefined) throw new CommandFailure(3, `${url.origin} is not the control port of a mock`);
  if (!response.ok)
    throw new CommandFailure(2, answer.error ?? `${url.origin} answered ${response.status}`, [
      `to list them: ${typed('mock snapshot list')}`,
    ]);
  return answer;
}
