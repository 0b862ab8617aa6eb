import type { LooseInput } from '../api/client.js';
import type { Change } from './change.js';
import type { Reads, Resource } from './reads.js';
import type { State } from './state.js';

/** How completely a change can be undone, from best to worst; best-effort: in part, or by something like it. */
export const surenesses = ['exact', 'best-effort', 'none'] as const;
export type Sureness = (typeof surenesses)[number];

/** What undo will be able to do, as far as the request alone shows. */
export interface Forecast {
  undo: Sureness;
  /** Why it is not exact, or what it takes, without a full stop. */
  why?: string;
}

export interface PastChange {
  input: LooseInput;
  /** The state before it; undefined where it was not read. */
  before: State | undefined;
  /** The platform's answer; undefined where it has none, or where it was lost. */
  answer: unknown;
}

export interface WayBack {
  undo: 'exact' | 'best-effort';
  why?: string;
  request: Change;
  /** The state that the change left, which undo must find; undefined where no read shows it. */
  expect: State | undefined;
  /** What the first request cannot restore, in order. They name what is made anew by its old id. */
  further?: readonly Change[];
  /** The state that a read must show afterwards; default: the whole state before. */
  restores?: State;
}

export interface NoWayBack {
  undo: 'none';
  why: string;
}

/** Further fields of what a request is about, on which a command may rest a change. */
export interface Basis {
  fields: readonly string[];
  /** Where they are read, for those who read a plan. */
  paths(input: LooseInput): readonly string[];
  /** Null where the resource does not exist. */
  read(reads: Reads, input: LooseInput): Promise<State>;
}

/** A section that leaves a group, or comes into one. */
export interface Regrouping {
  section: string;
  from: string | null;
  into: string | null;
  /** The sections right before and after it in the group that it leaves. */
  beside: readonly string[];
}

/** What undo and resume need to know about a changing operation. */
export interface Rule {
  /** @param before the state before the change, where it is known */
  forecast(input: LooseInput, before?: State): Forecast;
  /** Reads the states that forecasts depend on, for many requests at once; undefined where they do not. */
  survey?(reads: Reads, inputs: readonly LooseInput[]): Promise<readonly (State | undefined)[]>;
  /** Resources that must exist for the undo, beside those in its path: the requests that delete them. */
  needs?(input: LooseInput): readonly Change[];
  /** The request that deletes what the change is about, where its own path names something else. */
  about?(input: LooseInput): Change;
  /** Why the platform would currently refuse the request, without a full stop. */
  obstacle?(reads: Reads, input: LooseInput): Promise<string | undefined>;
  /** The state that the request touches, by one read where the platform allows it. */
  read?(reads: Reads, input: LooseInput): Promise<State>;
  /**
   * Of a move: the ids of all siblings in order, for each list among which it may be or go. A plan rests on a
   * part of these orders in place of the neighbours that the state names.
   */
  orders?(reads: Reads, input: LooseInput): Promise<readonly (readonly string[])[]>;
  /** What a line may expect beside the state that the request touches; read only where it expects that. */
  basis?: Basis;
  /**
   * The id of what it takes something out of. Where that is empty afterwards, the platform puts something else in its
   * place, such as another default.
   */
  takesFrom?(before: NonNullable<State>): unknown;
  /** Fields of the state that change by themselves; no plan depends on them. */
  passing?: readonly string[];
  /**
   * When the state is read before the change: always, since undo or the trash needs it; or only in jobs of
   * many items, whose resumption compares it.
   */
  before?: 'always' | 'many';
  /** It creates a resource, which did not exist before. */
  creates?: true;
  /** The path parameter that names what it creates, and the key of its value in the answer. */
  makes?: { parameter: string; key: string };
  /** What changes by another operation find in the state that they touch, once this creation is done: by field. */
  gives?(input: LooseInput): { to: string; fields: Readonly<Record<string, unknown>> };
  /** Fields of its state that other operations touch, too, by what all of them call the part; whole: without it, there is no state. */
  shares?(input: LooseInput): { fields: Readonly<Record<string, string>>; whole?: true };
  /**
   * Where a creation shows, if not in the list at its path; null where no list shows it, or where it is not
   * worth reading before the creation.
   */
  shows?(reads: Reads, input: LooseInput, when: 'before' | 'after'): Promise<Resource[] | null>;
  /** Whether a resource can be what a creation made, beyond the fields that both have. */
  like?(resource: Resource, body: Resource): boolean;
  /** Nothing else leads to the wanted state, so its absence proves that the request had no effect. */
  oneWay?: true;
  /** Sending it twice has the effect of sending it once. */
  harmless?: true;
  /** Undo needs the answer, so the journal keeps it; that of a creation is always kept. */
  keepsAnswer?: true;
  /** Why an answer with a success status is a refusal: a sentence. */
  refusedBy?(answer: unknown): string | undefined;
  /** The state, or the part of it, that the request asks for; undefined where no read shows it. */
  wanted?(input: LooseInput, before: State | undefined): State | undefined;
  /** Whether the state shows if this request took effect; default: yes. */
  tells?(input: LooseInput, before: State | undefined): boolean;
  /** Whether a further read shows that it took effect, where the state is neither the one before nor a known one. */
  took?(reads: Reads, input: LooseInput, before: NonNullable<State>): Promise<boolean>;
  back?(change: PastChange): WayBack | NoWayBack;
  /** How a section changes its group; undefined where the state before it is not known. */
  regroups?(input: LooseInput, before: State | undefined): Regrouping | undefined;
  /** It moves a section or a group, so its neighbours may hide a group without sections between them. */
  movesAmongGroups?: true;
  /** Requests of this kind build on each other: they are sent one at a time. */
  inOrder?: true;
  /** How long it can be undone, in milliseconds of the platform's clock. */
  withinMs?: number;
  /** The command that undoes it until then, given the id. */
  restoredBy?: string;
}

export type Rules = Readonly<Record<string, Rule>>;
