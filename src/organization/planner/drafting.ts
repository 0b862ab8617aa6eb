import { changeId, findReferences } from '../../jobs/references.js';
import type { LockChange } from '../../plans/plan.js';
import { type Address, type DesiredItem, type KindName, kindNames, type LiveItem } from '../model.js';
import { Ids } from './ids.js';
import { type Cause, type Finding, type Operation, phases } from './operation.js';
import type { World } from './world.js';

/** An item that must move to another parent. */
export interface Transfer {
  item: DesiredItem;
  live: LiveItem;
  cause: Cause;
  applied: Readonly<Record<string, string>>;
}

/** A plan in the making. */
export class Drafting {
  readonly world: World;
  readonly ids: Ids;
  readonly operations: Operation[] = [];
  /** Also those that were taken out again. */
  readonly #added = new Map<string, Operation>();
  readonly findings: Finding[] = [];
  readonly settled: LockChange[] = [];
  /** Items that come under another parent. */
  readonly transfers = new Map<Address, Transfer>();
  /** All operations about an item. */
  readonly about = new Map<Address, Operation[]>();
  /** The operations that create items, by item. */
  readonly creations = new Map<Address, Operation>();
  readonly removals = new Map<LiveItem, Operation>();
  /** What is planned once every item has its id. */
  readonly deferred: (() => void)[] = [];
  /** Entries of the lock that hold before the operations of an item; for those without any, they are settled. */
  readonly bases = new Map<
    Address,
    {
      id: unknown;
      applied: Readonly<Record<string, string>>;
      unsettled: boolean;
      /** Whether its entry changes because siblings move, which undo takes back. */
      beside?: boolean;
    }
  >();
  /** The operations that stop naming an item, by kind and id. */
  readonly releases = new Map<string, Operation[]>();

  /** By kind and field: the items of the files of which it could not be compared. */
  readonly unreadFields = new Map<string, { first: DesiredItem; field: string; others: number }>();

  constructor(world: World) {
    this.world = world;
    this.ids = new Ids(world);
  }

  wants(cause: Cause | undefined): boolean {
    const { only } = this.world.options;
    return only === undefined || cause === undefined || cause === only;
  }

  add(
    operation: Pick<Operation, 'kind' | 'address' | 'key' | 'action' | 'cause' | 'op' | 'path' | 'rank'> &
      Partial<Operation>,
  ): Operation {
    const { path, body, after = [] } = operation;
    const makers = findReferences([path, body]).flatMap(({ $from }) => this.#added.get($from) ?? []);
    const added: Operation = {
      ...{ fields: {}, risks: [], applied: {}, ...operation },
      id: changeId(this.#added.size),
      after: new Set([...makers, ...after]),
    };
    this.#added.set(added.id, added);
    this.operations.push(added);
    const others = this.about.get(added.address);
    if (others === undefined) this.about.set(added.address, [added]);
    else others.push(added);
    return added;
  }

  find(
    item: Pick<DesiredItem, 'kind' | 'address' | 'key'>,
    finding: Omit<Finding, 'kind' | 'address' | 'key' | 'action'> & Partial<Finding>,
  ): void {
    const { kind, address, key } = item;
    if (this.wants(finding.cause)) this.findings.push({ kind, address, key, action: 'finding', ...finding });
  }

  unreadField(item: DesiredItem, field: string): void {
    const known = this.unreadFields.get(`${item.kind} ${field}`);
    if (known === undefined)
      this.unreadFields.set(`${item.kind} ${field}`, { first: item, field, others: 0 });
    else known.others += 1;
  }

  /** What an item waits for, as one finding. */
  waits(item: DesiredItem, missing: readonly Address[], cause: Cause): void {
    const names = [...new Set(missing)];
    const unread = names.filter((address) => this.world.mayBeUnread(address));
    if (unread.length > 0) {
      this.find(item, {
        cause,
        code: 'unread',
        message: `${item.address} needs ${unread.join(', ')}, which could not be read.`,
        hint: `Use a token that may read ${unread.length === 1 ? 'it' : 'them'}.`,
      });
      return;
    }
    const are = names.length === 1 ? 'is' : 'are';
    this.find(item, {
      cause,
      code: 'waits',
      message: `${item.address} needs ${names.join(', ')}, which ${are} not on the platform.`,
      hint: 'Resolve the findings about it, then plan again.',
    });
  }
}

/** The rank of an operation that creates or changes items of a kind. @param step what comes first within the kind */
export function rankOf(kind: KindName, step: number): readonly number[] {
  const isSetting = kindNames.indexOf(kind) > kindNames.indexOf('site-spaces');
  const place = kindNames.indexOf(kind);
  return [isSetting ? phases.settings : phases.kinds, place, step];
}
