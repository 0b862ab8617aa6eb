import type { IncomingMessage } from 'node:http';
import { refusal } from '../sandbox/refusal.js';
import { pagesPath } from '../sandbox/server/front.js';

/** What a form of the pages sends, and who may send it. */

const formType = 'application/x-www-form-urlencoded';
const mostBytes = 64 * 1024;

/**
 * Refuses what no form of the pages sends: browsers name the origin of each form, and no other page can write ours.
 * @throws 403
 */
export function refuseOtherForms({ headers }: IncomingMessage): void {
  const { host = '', origin } = headers;
  if (origin !== `http://${host}`) throw refusal(403, 'only the pages of the sandbox may send this');
}

/** The fields of a form. @throws 415 for another type, 413 for more than 64 KB */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== formType) throw refusal(415, `the body must be ${formType}`);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) throw refusal(413, 'the form is larger than 64 KB');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** Where a form leads back to: a page of ours, whatever it says. */
export function wayBack(form: URLSearchParams): string {
  const back = form.get('back') ?? '';
  return back.startsWith(pagesPath) && /^[!-[\]-~]*$/.test(back) ? back : pagesPath;
}

/** An action that was not done, with the page that its form is on. */
export class NotDone extends Error {
  readonly status: number;
  readonly back: string;

  constructor(message: string, status: number, back: string) {
    super(message);
    this.status = status;
    this.back = back;
  }
}
