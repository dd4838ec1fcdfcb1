/** A schema that is repaired in place. */
export type RepairedSchema = Record<string, unknown>;

/**
 * Reports one repaired slip of a schema.
 *
 * @param kind what slips of this kind are called
 * @param member the member of the schema
 * @param wrong what the document says
 * @param read how it is read
 * @param part which part of the member is shown; default: its value
 */
export type TellSlip = (kind: string, member: string, wrong: string, read: string, part?: 'name') => void;
