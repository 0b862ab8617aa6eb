import type { Outgoing, TransportRequest, TransportResponse } from '../api/transport.js';
import type { PlannedRequest } from '../jobs/request.js';
import type { Plan } from '../plans/plan.js';
import type { Asking, Policy, Verdict } from './policy.js';

/** What stands between a command and what it does. A session without a policy has none. */
export interface Gate {
  readonly policies: readonly Policy[];
  /**
   * Before the first byte of a command: refuses what can be allowed for no input. The first is the one that was
   * typed; a further one is what it runs.
   * @throws DocsError forbidden `policy_denied` (exit 5)
   */
  command(command: GatedCommand): Promise<void>;
  /**
   * Before the first request of a job: refuses it where one of its requests is denied or asks for an approval,
   * and reserves the budget for all of them.
   * @param use.command words of the command whose job it is, where it is not the one that was typed
   * @param use.approved whether the requests are those of a plan that was approved under every policy that asks
   * @throws DocsError forbidden `policy_denied`
   */
  job(requests: readonly PlannedRequest[], use?: { approved?: boolean; command?: string }): Promise<void>;
  /**
   * Each request, in the transport. A write that no job has reserved counts here.
   * @throws DocsError `policy_denied`
   */
  request(request: Outgoing): Promise<void>;
  /** The verdict on one request, for `docs policy test` and for plans; nothing is reserved. */
  verdict(request: PlannedRequest): Promise<Verdict>;
  /** The policies that want an approval of a plan before it is applied; reads nothing from the platform. */
  asking(plan: Plan): Promise<readonly Asking[]>;
  /** Gives back what was reserved and not sent. */
  close(): Promise<void>;
}

export type Send = (request: TransportRequest) => Promise<TransportResponse>;

/** What of a command matters to a policy. */
export interface GatedCommand {
  /** Its words after `docs`. */
  words: string;
  /** Whether it sends anything beside reads: false with `--dry-run` and `--save-plan`. */
  changes: boolean;
  effect: 'read' | 'local' | 'write' | 'delete';
  danger: 'read' | 'change' | 'confirm' | 'type-title';
  /** Whether its requests are what counts, and not its name: `api`, `apply`, `undo`, `jobs resume`, `bulk`. */
  carrier: boolean;
}
