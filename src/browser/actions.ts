import { commandLine, withFlags } from '../base/shell-word.js';
import { atPlace } from '../cli/declare/global-flags.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { command } from '../reports/markup.js';
import { refusal } from '../sandbox/refusal.js';
import { pagesPath } from '../sandbox/server/front.js';
import type { Action, Fields, PageSettings } from './action.js';
import { sendAgain } from './send-again.js';
import type { Session } from './session.js';
import { steering } from './steering.js';
import type { View, Visit } from './visit.js';

/** What the pages do: each button stands for a command of docs, is shown with it, and does what it does. */

const actions: Readonly<Record<string, Action>> = { ...steering, 'send-again': sendAgain };

export const actionsPath = `${pagesPath}do/`;

/** @throws 404 */
export function actionNamed(name: string): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw refusal(404, 'there is no such action');
  return action;
}

/** What was typed into the fields of an action. */
export function fieldsOf({ fields }: Action, form: URLSearchParams): Fields {
  return Object.fromEntries(fields.map((name) => [name, form.get(name)?.trim() || undefined]));
}

/** What says of which sandbox the pages are. */
type PlaceSettings = Pick<PageSettings, 'file' | 'place' | 'platform'>;

/** A command as people paste it: it works on this sandbox and no other platform. @param words after `docs` */
export function placed(words: readonly string[], { file, place, platform }: PlaceSettings): string {
  const named = words[0] === 'sandbox' && file !== undefined ? withFlags(words, '--file', file) : words;
  return atPlace(commandLine(named, platform), place, platform);
}

/** The command of an action. */
export function lineOf(action: Action, fields: Fields, settings: PageSettings): string {
  return placed(action.command(fields), settings);
}

/** The command of an action with what was typed so far: the script shows it beside the button. */
export const commandView: View = async ({ query, settings }, [name = '']) => {
  const action = actionNamed(name);
  return { type: 'text/plain; charset=utf-8', bytes: lineOf(action, fieldsOf(action, query), settings) };
};

/** The path of an action in the log of requests, with its fields. */
export function loggedPath(name: string, fields: Fields): string {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) given.set(key, value);
  return `${actionsPath}${name}${given.size > 0 ? `?${given}` : ''}`;
}

/** The command of an action that the log of requests has; undefined for other paths. */
export function loggedCommand(path: string, settings: PageSettings): string | undefined {
  const [, name = '', query = ''] = /^\/sandbox\/do\/([\w-]+)(?:\?(.*))?$/.exec(path) ?? [];
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  return action && lineOf(action, fieldsOf(action, new URLSearchParams(query)), settings);
}

/** A button that acts, as a page shows it. */
export interface Offer {
  action: string;
  label: string;
  /** What is sent, or what the fields of `inputs` begin with. */
  fields?: Fields;
  /** Fields that people fill in, by these names. */
  inputs?: HtmlPart;
  /** A question that is answered first: what the action takes away. */
  asks?: string;
  /** The command that it stands for, where the fields do not say all of it. */
  line?: string | undefined;
}

/** A form with the command that its button stands for. */
export function offer(visit: Visit, { action: name, label, fields = {}, inputs, asks, line }: Offer): Html {
  const { at, query, settings } = visit;
  const action = actionNamed(name);
  const back = query.size === 0 ? at : `${at}?${query}`;
  const hidden = Object.entries({ ...(inputs === undefined && fields), ticket: visit.ticket(), back }).map(
    ([key, value]) => html`<input type="hidden" name="${key}" value="${value ?? ''}">`,
  );
  const send = html`<button class="do">${label}</button>`;
  const asked =
    asks === undefined
      ? send
      : html`<details class="asks"><summary class="button">${label} …</summary><p>${asks}</p>${send}</details>`;
  const live = inputs !== undefined && html` data-command="${actionsPath}${name}/command"`;
  return html`<form class="act" method="post" action="${actionsPath}${name}"${live}>${hidden}${inputs}${asked} ${command(line ?? lineOf(action, fields, settings))}</form>`;
}

/** What the last action did, and its command. */
export function toldHtml(session: Session): HtmlPart {
  const told = session.takeTold();
  return told && html`<p class="calm told" role="status">✓ ${told.text} ${command(told.command)}</p>`;
}
