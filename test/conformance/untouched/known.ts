/** A breach that the law has found and that is not mended yet, or that no contract can show beforehand. */
export interface Known {
  readonly sample: string;
  /** Sentences of `Outcome.breaches`. */
  readonly breach: RegExp;
  readonly why: string;
}

export const KNOWN: readonly Known[] = [
  {
    sample: 'rest',
    breach: /^pinNote: /,
    why: 'an action on a thing of the run may change a setting that belongs to everybody',
  },
  {
    sample: 'rest',
    breach: /^welcomeUser: /,
    why: 'an action on a user of the run may send a mail to the address that the run made up',
  },
  {
    sample: 'bodies',
    breach: /^save-shelf(?:: x\d+ is listed without an address| left shelves\/\d+\.5)/,
    why: 'a careless server keeps an id with a fraction, which no path of the document takes: it is listed by its exchange',
  },
  {
    sample: 'bodies',
    breach: /^begin-visit(?:: x\d+ is listed without an address| left visits)/,
    why: 'the answer shows the visitor, so that the run cannot know the address of the visit: it is listed by its exchange',
  },
  {
    sample: 'bodies',
    breach: /^copy-room(?: left rooms|: x\d+ is listed without an address)/,
    why: 'a Location outside the path of the creation is not used, neither to remove the copy nor to list it',
  },
  {
    sample: 'keys',
    breach: /^addMark(?:: x\d+ is listed without an address| left marks)/,
    why: 'the answer has all marks, so that the run knows its own one only by a name that it has sent: else it is listed by its exchange',
  },
  {
    sample: 'keys',
    breach: /^putStock(?: left|:)/,
    why: 'a PUT of a singleton below a thing that does not exist may make it without saying so: with 200, it is taken for a change',
  },
];
