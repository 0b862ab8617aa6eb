import type { DrawnBeside } from '../../access/links/drawn-beside.js';
import { type GraphSpace, graphSpace } from '../../access/links/graph-space.js';
import type { FoundSpace, LinkStatus } from '../../access/links/reference.js';
import { defined } from '../../base/values.js';
import { isIn, type Shard } from '../../shards/shard.js';
import { isWhole, type Scope, spacesOfScope } from '../../snapshot/spaces.js';
import type { Reading } from '../../snapshot/unread.js';
import { type Baseline, type Ground, type KnownFinding, knownOf } from './baseline.js';
import type { Looked } from './finding.js';
import { lookAtChangeRequest, lookAtSpaces } from './read-links.js';
import { Tally } from './report.js';

export interface CheckPlan {
  scope: Scope;
  /** Looks at the pages of this change request instead; the scope is then its space alone. */
  changeRequest?: string;
  /** In the order of `linkStatuses`. */
  statuses: readonly LinkStatus[];
  baseline: Baseline;
  updateBaseline: boolean;
  /** Draws all links that there are; they are then read whatever their status. */
  drawing?: DrawnBeside;
  /** Whether links are read whatever their status, though nothing is drawn. */
  readsAll?: boolean;
  /** Looks at the spaces of this part alone. */
  shard?: Shard;
}

export type CheckEvent =
  /** The spaces are known; 0 if their number is not. */
  | { kind: 'started'; total: number }
  /** A space, or a page of a change request, was read; findings of the baseline are left out. */
  | { kind: 'looked'; looked: Looked };

/** Reads the links of every space in its scope, counts, and leaves out what the baseline knows. */
export class LinkCheck {
  readonly tally: Tally;
  /** For the next baseline; empty unless it is to be updated. */
  readonly found = new Map<string, KnownFinding>();
  /** Broken links, those of the baseline included. */
  broken = 0;
  /** Spaces in the scope; those of lists that could not be read are missing. */
  spaces = 0;
  readonly #plan: CheckPlan;

  constructor(plan: CheckPlan) {
    this.#plan = plan;
    this.tally = new Tally(plan.changeRequest !== undefined);
  }

  /** @throws DocsError if the spaces, or the pages of the change request, cannot be listed */
  async *run(reading: Reading): AsyncGenerator<CheckEvent> {
    const { scope, changeRequest, statuses, drawing, readsAll, shard } = this.#plan;
    if (changeRequest !== undefined) {
      yield { kind: 'started', total: 0 };
      const [id = ''] = scope.spaces;
      await drawing?.begin(reading, [{ id }], false);
      return yield* this.#counted(lookAtChangeRequest(reading, { id }, changeRequest, { statuses, drawing }));
    }
    const { spaces, unread } = await spacesOfScope<GraphSpace>(reading, scope, graphSpace);
    this.tally.unread.push(...unread);
    const own = spaces.filter(({ id }) => isIn(shard, id));
    this.spaces = own.length;
    yield { kind: 'started', total: own.length };
    // A link may lead to a space of another part, whose address tells it.
    await drawing?.begin(reading, spaces, isWhole(scope));
    const found = own.map(({ id, title }: GraphSpace): FoundSpace => defined({ id, title }));
    yield* this.#counted(lookAtSpaces(reading, found, { statuses, drawing, readsAll }));
  }

  async *#counted(looks: AsyncIterable<Looked>): AsyncGenerator<CheckEvent> {
    const { baseline, updateBaseline } = this.#plan;
    for await (const looked of looks) {
      if (updateBaseline)
        for (const finding of looked.findings) this.found.set(finding.fingerprint, knownOf(finding));
      this.broken += looked.findings.filter(({ status }) => status === 'broken').length;
      const { former } = looked;
      const fresh = looked.findings.filter(
        ({ fingerprint }) =>
          !baseline.has(fingerprint) && !baseline.has(former?.get(fingerprint) ?? fingerprint),
      );
      const shown = { ...looked, findings: fresh };
      this.tally.add(shown, looked.findings.length - fresh.length);
      yield { kind: 'looked', looked: shown };
    }
  }

  /** Whether it looks for broken links in all that is published in the organization. */
  get isWhole(): boolean {
    const { scope, changeRequest, statuses, shard } = this.#plan;
    return (
      shard === undefined && isWhole(scope) && changeRequest === undefined && statuses.includes('broken')
    );
  }

  /** What the check looked at: it may take nothing else out of the baseline. */
  get ground(): Ground {
    const { read, unread } = this.tally;
    const all = isWhole(this.#plan.scope) && unread.length === 0;
    return { statuses: this.#plan.statuses, covers: (space) => all || read.has(space) };
  }
}
