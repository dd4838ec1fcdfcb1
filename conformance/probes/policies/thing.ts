import type { Json } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Values } from '../own-api.ts';

/** What an operation does with a thing. */
export type Role = 'create' | 'createMany' | 'list' | 'read' | 'replace' | 'patch' | 'delete' | 'restore';

/** Operations on resources of one kind. */
export interface Roles {
  readonly operations: Readonly<Partial<Record<Role, string>>>;
  /** The path parameter with the id of a thing. */
  readonly parameter: string;
  /** The member of a thing with its id; if left out, it is guessed. */
  readonly member?: string | undefined;
  /**
   * The member of an answer that contains the thing, and of a list that contains the things; if left out, the
   * whole body.
   */
  readonly item?: string | undefined;
  readonly items?: string | undefined;
}

/** A resource that the suite has created. */
export interface Thing {
  /** Of the path parameters. */
  readonly values: Values;
  /** Of the path parameters of its creation. */
  readonly within: Values;
  readonly id: Json;
  /** The body that created it. */
  readonly sent: Json | undefined;
  readonly made: Exchange;
}

export interface MakeOptions {
  /** Whether a thing that is created later (202) is accepted. */
  readonly isLater?: boolean;
  /** Whether members get another value than usual, if the document names several. */
  readonly isVaried?: boolean;
  /** Whether all optional members are left out. */
  readonly isSmall?: boolean;
  /** The first letter of the texts of some members, where the document allows it. */
  readonly begin?: string;
  readonly beginsIn?: readonly string[];
  /** Whether their numbers are among the largest that the document allows, or the smallest. */
  readonly isLarge?: boolean;
  /** Whether texts and lists have values that are easily spoilt, sent in chunks where the server knows them. */
  readonly isRich?: boolean;
  /** Whether only the members with a default are left out. */
  readonly lacksDefaults?: boolean;
}

export interface ListOptions {
  /** The name of the planned request, if it is not the role. */
  readonly as?: string;
  /** Other parameters of the list. */
  readonly query?: Values;
  /** The size of a page; `null` for a request without one; default: the maximum. */
  readonly limit?: number | null;
  readonly mostPages?: number;
}

export interface SentThing {
  readonly body?: Json | undefined;
  /** `null` for a request without the header; default: the current tag of the thing. */
  readonly ifMatch?: string | null;
  /** Default: a request without the header. */
  readonly ifNoneMatch?: string;
  readonly isChunked?: boolean;
  /** The name of the planned request, if it is not the role. */
  readonly as?: string;
}
