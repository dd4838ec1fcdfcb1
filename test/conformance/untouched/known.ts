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
    breach: /^deploy: /,
    why: 'a POST to a collection may do more than make the thing that it answers with, such as a deployment',
  },
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
    sample: 'rest',
    breach: /^(?:deleteCard: |createCard left cards)/,
    why: 'of an answer with several ids the first one is taken, here that of the owner: a card of others is removed, and the own one stays',
  },
  {
    sample: 'actions',
    breach: /^zahlen: /,
    why: 'payments are withheld by their English names only',
  },
  {
    sample: 'actions',
    breach: /^mensaje: /,
    why: 'messages are called in any language, if their document has a path for what is made',
  },
  {
    sample: 'bodies',
    breach: /^(?:save|drop)-shelf(?:: | left shelves)/,
    why: 'a creation with an id of the caller may replace: the example of its document is the id of a shelf of others, which is then removed',
  },
  {
    sample: 'bodies',
    breach: /^clear-shelves: /,
    why: 'an empty text is taken for an id: DELETE /shelves/ removes all shelves from a server that ignores the last slash',
  },
  {
    sample: 'bodies',
    breach: /^end-visit: /,
    why: 'the id of what a creation shows, here the visitor, is taken for that of what it made, and a visit of others is removed',
  },
  {
    sample: 'bodies',
    breach: /^begin-visit left visits/,
    why: 'the address that is made of such an id hides what was really made',
  },
  {
    sample: 'bodies',
    breach: /^add-(?:rooms?|review) left /,
    why: 'if a creation answers 200, an id that any other thing has shown before is taken for that of an older thing, which is neither removed nor listed',
  },
  {
    sample: 'bodies',
    breach: /^copy-room(?: left rooms|: x\d+ is listed without an address)/,
    why: 'a Location outside the path of the creation is not used, neither to remove the copy nor to list it',
  },
  {
    sample: 'keys',
    breach: /^deleteMark: /,
    why: 'if a creation answers with the list of all things, the run removes those of others too',
  },
  {
    sample: 'keys',
    breach: /^saveContact: /,
    why: 'a creation may be an upsert: the example of its document is the natural key of a thing that is there',
  },
  {
    sample: 'keys',
    breach: /^(?:saveLead|dropLead): /,
    why: 'an upsert that always answers 201 makes the run remove what was there before',
  },
  {
    sample: 'keys',
    breach: /^putStock(?: left|:)/,
    why: 'what a PUT of a singleton below a thing made is listed at the address of the thing',
  },
];
