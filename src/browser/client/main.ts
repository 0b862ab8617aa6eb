import { addCopies } from '../../reports/client/copy.js';
import { follow } from './requests.js';

/** The script of the sandbox's pages: copies, commands of what is typed, and requests as they come. Without it all works but these. */

prepare(document);
const log = document.querySelector<HTMLElement>('.log');
if (log !== null) follow(log, prepare);

document.addEventListener('keydown', (event) => {
  const { target: at } = event;
  const isTyping = at instanceof HTMLElement && at.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  document.getElementById('q')?.focus();
  event.preventDefault();
});

function prepare(within: ParentNode): void {
  addCopies(within);
  for (const form of within.querySelectorAll<HTMLFormElement>('form[data-command]')) showCommand(form);
  for (const form of within.querySelectorAll<HTMLFormElement>('form.act')) sendOnce(form);
}

/** The command of a form says what is typed; the server words it, as it words the one that is sent. */
function showCommand(form: HTMLFormElement): void {
  const code = form.querySelector('code.cmd');
  const path = form.dataset.command ?? '';
  let asked = 0;
  form.addEventListener('input', async () => {
    asked += 1;
    const now = asked;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (name !== 'ticket') fields.set(name, String(value));
    const answer = await fetch(`${path}?${fields}`).catch(() => undefined);
    const text = answer?.ok === true ? await answer.text() : undefined;
    if (code !== null && text !== undefined && now === asked) code.textContent = text;
  });
}

/** A second click would send a form that is used up. */
function sendOnce(form: HTMLFormElement): void {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  // A page that the browser kept, and shows again.
  window.addEventListener('pageshow', () => {
    isSent = false;
  });
}
