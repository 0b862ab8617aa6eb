import type { DocsError } from '../../base/errors.js';
import type { JobFacts, OpenJob } from '../../jobs/create-job.js';
import type { ItemResult, JobItem } from '../../jobs/journal.js';
import type { Forecast } from '../../jobs/rule.js';
import type { JobParts, JobRun } from '../../jobs/run-job.js';
import type { Plan } from '../../plans/plan.js';
import type { Applies, Command } from '../declare/command.js';

/** What is asked before changes are sent. */
export interface Question {
  /** Without a question mark: `Delete space s1`. */
  what: string;
  /** Whether nothing is sent without an answer or --yes. Others are asked only where a risk is seen. */
  isGrave: boolean;
  /** What is typed to agree, a number or the title of the only item; default: yes or no. */
  typed?: number | 'title';
  /** Whether an item was chosen from a list, where Enter alone takes the first: asks again where undo cannot help. */
  isChosen?: boolean;
  /** What undo can do about the changes, told before the question; default: what is foreseen of many. */
  forecasts?: readonly Forecast[];
  /** What has not happened to anything where the answer is no; default: sent. */
  refused?: 'changed';
}

/** What is looked up about changes: what their guard sees, what they expose, what they break elsewhere. */
export type Aspect = 'guard' | 'exposure' | 'impact';

/** What was seen of changes before they are sent, as sentences. */
export interface Warnings {
  /** What the guard sees. */
  risks: readonly string[];
  exposed: readonly string[];
  /** The question of the guard, where the usual one says too little. */
  question?: string | undefined;
}

/** Changes that were sent. */
export interface Sent {
  run: JobRun;
  /** The name of the job; undefined where journals are off. */
  job: string | undefined;
  /** The result of a single change. */
  result?: ItemResult;
}

/** What the journal of changes says of them beside what they are. */
type JobHead = Pick<JobFacts, 'org' | 'source' | 'undoes' | 'evidence' | 'planFile' | 'folder' | 'settled'>;

/** An item that is left out, with the reason. */
export interface LeftOut {
  index: number;
  id: string;
  /** The item of the lock that it is about. */
  item?: string;
  error: DocsError;
}

/** How the job works. */
type How = Partial<Pick<JobParts, 'unread' | 'made' | 'claimed' | 'byHand'>>;

/**
 * Changes that a command proposes, with all that makes them its own. What is done with them is the same for all
 * (`carryOut`): a plan is saved, a dry run shown, the question asked, the job begun, sent, printed and closed.
 */
export interface Proposal<T = void> extends JobHead, How {
  /** The words of the command, without ids and flags. */
  command: string;
  /** In the order in which they are sent. */
  steps: readonly JobItem[];
  question: Question;
  /** The command whose guard is asked; none: only that of the operations. */
  by?: Command | undefined;
  /** What is looked up; default: all of it. */
  looks?: Partial<Record<'plan' | 'dryRun' | 'question', readonly Aspect[]>>;
  /** Sentences that a plan tells as risks beside what is looked up. */
  risks?: readonly string[];
  /** What people call the items, by id, for a plan. */
  titles?: Readonly<Record<string, string>> | undefined;
  /** For the progress bar; default: `Changing`. */
  doing?: string;
  /** Items that are not sent, as results. */
  leftOut?: readonly LeftOut[];
  /** Results of items that another job of the same command did before. */
  earlier?: readonly Record<string, unknown>[];
  /** The plan that is saved or applied, where it is made already. */
  plan?: Plan;
  /** Whether a plan cannot hold these requests. */
  unplannable?: boolean;
  /** What a dry run shows in place of the requests. */
  show?(): Promise<void>;
  /**
   * Tells what is about to happen in words of its own, also where nobody can be asked.
   * @param attended whether somebody is asked, or would be
   * @returns what is still to be told before the question
   */
  tell?(seen: Warnings, attended: boolean): Warnings;
  /** Looks again right before the changes are agreed to, and says what happens beside them. */
  applies?: Applies | undefined;
  /** Called once they are agreed to, before the first is sent, or saved as a plan. @returns what differs from then on */
  agreed?(): Promise<Partial<Omit<AgreedTo, 'send' | 'done'>>>;
  /** Whether the same input may start a second job; default: with --again. */
  again?: boolean;
  /** Who approved the plan, under every policy that asks for it. */
  approved?: string | undefined;
  /** What applying an approved plan uses up. */
  approvals?: UsedUp | undefined;
  /** One change, whose result is not printed. */
  isSingle?: boolean;
  /** The job, where it was begun before: what is left of it is looked at again under its lock. */
  open?: OpenJob;
  /** Nothing is printed of results: the command reports at its end. */
  isSilent?: true;
  /** Sends in other ways than as one job. @param send sends as one job what differs from the proposal */
  send?(send: (part: Partial<Proposal>) => Promise<Sent>): Promise<T>;
  /** Called where not all was done. */
  failed?(job: string): Promise<void>;
  /** What is thrown in place of the failure of a job. */
  blame?(failure: unknown): unknown;
  /** What is left undone although all was sent. */
  left?: DocsError | undefined;
  /** Prints what came of a single change, or says what was done. Called where all was sent. */
  done?(sent: Sent): Promise<T>;
}

/** What a job uses up once: before its first request, and back where it changed nothing. */
export interface UsedUp {
  /** @throws DocsError usage `plan_applied` where another job was first */
  use(job: string): Promise<void>;
  giveBack(job: string): Promise<void>;
}

/** A proposal that was agreed to. */
export type AgreedTo = Omit<Proposal<unknown>, 'question'>;
