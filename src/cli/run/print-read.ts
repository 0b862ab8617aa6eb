import { callOne, listOf } from '../../api/client.js';
import type { Change } from '../../jobs/change.js';
import type { View } from '../../output/printer.js';
import type { Session } from '../declare/session.js';
import type { ReadPages } from '../declare/takers.js';
import { mayNotFit } from './output.js';
import {
  type DescribedCommand,
  type DescribedLine,
  emptyListText,
  itemsOfAnswer,
  listNoun,
  subjectOf,
} from './view.js';

/** A read, and how what it answers is printed. */
export interface Reading {
  command: DescribedCommand;
  input: DescribedLine;
  call: Change;
  view: View;
  /** Reads the list where the platform's own leaves something out. */
  pages?: ReadPages | undefined;
  /** Most items in all. */
  limit?: number | undefined;
}

/** Reads the resource or the list of a command, and prints it. */
export async function printRead(session: Session, { command, input, call, ...how }: Reading): Promise<void> {
  const { op } = call;
  const { io } = session;
  const isPaged = op.returns.kind === 'page';
  const empty = emptyListText(command, input, call);
  const view = { ...how.view, empty, within: call.input.path, noun: listNoun(command, input) };
  if (mayNotFit(session)) await session.printer.check(view);
  const client = await session.client({ timeoutPerRequest: isPaged, single: !isPaged, series: isPaged });
  const about = subjectOf(command, input, call, io.platform);
  if (isPaged) {
    const { printer } = session;
    const options = { ...about, most: how.limit };
    const list = listOf(client, op, call.input, options);
    const lines = printer.takesLines ? list.lines?.() : undefined;
    const pages = how.pages?.(client, call.input, options) ?? lines ?? list.pages();
    await printer.list(pages, view, { limit: how.limit });
    return;
  }
  const answer = await callOne(client, call, about);
  if (input.options.web === true) {
    const { addressOf, showInBrowser, urlsOf } = await import('./browser.js');
    const found = addressOf(`${input.group?.noun ?? 'item'} ${call.id}`, urlsOf(answer));
    return showInBrowser(session, { id: call.id, ...found });
  }
  const items = itemsOfAnswer(session, command, answer);
  const { printer } = session;
  await (items === undefined ? printer.one(answer, view) : printer.list(items, view));
}
