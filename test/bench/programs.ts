import { join } from 'node:path';
import { fetchedGenerators } from './fetched.ts';
import { bestOf } from './measure.ts';
import { compared, milliseconds, type Peer, type Row } from './rows.ts';
import { bin, document, foreign, openapiTypescript } from './subjects.ts';

/** How long our command takes to say something, and to generate code beside other generators. */
export async function programs(scratch: string): Promise<readonly Row[]> {
  const out = (name: string): string => join(scratch, name);
  const types = (source: string, name: string) => [openapiTypescript, source, '-o', `${out(name)}.ts`];
  const nothing = await bestOf(5, ['-e', '0']);
  const help = await bestOf(5, [bin, '--help']);
  const peers = fetchedGenerators();
  const rows = [
    ...compared(
      'tallystick --help',
      help.milliseconds,
      // 1.7 times and 1.3 times what Node takes.
      [{ name: 'node -e 0', figure: nothing.milliseconds, bar: '0.59 x', aim: '0.77 x' }],
      milliseconds,
    ),
    ...(await beside(
      'generate: our three documents, types and validators and clients',
      3,
      ['generate', '--out', out('ours')],
      [['openapi-typescript, one document, types only', types(document, 'router'), '1 x', '1.3 x']],
    )),
    ...(await beside(
      "generate: Blockfrost's document, types and validators and client",
      2,
      ['generate', foreign, '--out', out('foreign')],
      [['openapi-typescript, types only', types(foreign, 'foreign')]],
    )),
  ];
  const what = "generate: GitHub's document, types, client (ours: validators too)";
  if (peers === undefined) return [...rows, { what, who: '', measured: 'skipped: it could not be fetched' }];
  const { large, heyApi, orval } = peers;
  return [
    ...rows,
    ...(await beside(
      'generate: our router document, types, client (ours: validators too)',
      3,
      ['generate', document, '--out', out('a')],
      [
        ['openapi-typescript, types only', types(document, 'b')],
        ['hey-api', heyApi(document, out('c'))],
        ['orval', orval(document, out('d'))],
      ],
    )),
    ...(await beside(
      what,
      1,
      ['generate', large, '--out', out('e')],
      [
        ['openapi-typescript, types only', types(large, 'f'), undefined, '1 x'],
        ['hey-api', heyApi(large, out('g')), '5 x'],
      ],
    )),
  ];
}

// --- internal ---

/** The best of several runs each; a generator that fails gets no figure. */
async function beside(
  what: string,
  times: number,
  ours: readonly string[],
  others: readonly (readonly [
    name: string,
    args: readonly string[],
    bar?: string | undefined,
    aim?: string,
  ])[],
): Promise<readonly Row[]> {
  const time = async (args: readonly string[]): Promise<number | undefined> => {
    const { milliseconds: took, code } = await bestOf(times, args);
    return code === 0 ? took : undefined;
  };
  const own = await time([bin, ...ours]);
  if (own === undefined) throw new Error(`tallystick gave up on ${what}`);
  const peers: Peer[] = [];
  for (const [name, args, bar, aim] of others)
    peers.push({
      name,
      figure: await time(args),
      ...(bar === undefined ? {} : { bar }),
      ...(aim === undefined ? {} : { aim }),
    });
  return compared(what, own, peers, milliseconds);
}
