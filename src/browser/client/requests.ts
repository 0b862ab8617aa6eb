/** The requests as they come. All text is set as text. */

interface Row {
  [part: string]: string | undefined;
}

const everyMs = 1000;
const mostRows = 1000;

/** Shows the buttons that copy, and makes them work. */
export function showButtons(within: ParentNode): void {
  for (const button of within.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = button.dataset.copy === '';
    const label = button.textContent;
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy ?? '');
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not copied';
      }
      setTimeout(() => {
        button.textContent = label;
      }, 1500);
    };
  }
}

export function follow(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const template = document.querySelector<HTMLTemplateElement>('#row')?.content.firstElementChild;
  const form = document.querySelector<HTMLFormElement>('[data-filter]');
  const told = document.querySelector<HTMLElement>('[data-told]');
  const pause = form?.querySelector<HTMLButtonElement>('[data-pause]');
  const box = form?.querySelector('input');
  if (!body || !template || !form || !told || !pause || !box) return;
  let isPaused = false;
  let next = table.dataset.rows ?? '';
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());

  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    const all = body.rows.length;
    const paused = isPaused ? ', paused' : '';
    told.textContent = all === 0 ? 'No requests yet.' : `${shown} of the last ${all} shown${paused}.`;
  };

  const rowOf = (request: Row) => {
    const row = template.cloneNode(true) as HTMLElement;
    for (const part of row.querySelectorAll<HTMLElement>('[data-of]')) {
      const text = request[part.dataset.of ?? ''] ?? '';
      if (part.dataset.copy === undefined) part.textContent = text;
      else part.dataset.copy = text;
    }
    showButtons(row);
    return row;
  };

  const ask = async () => {
    if (isPaused || document.hidden) return;
    const answer = await fetch(next, { cache: 'no-store' });
    if (answer.status === 403) {
      isPaused = true;
      told.textContent = 'The sandbox was restarted. Run docs sandbox open.';
      return;
    }
    if (!answer.ok) return;
    const { rows, next: following } = (await answer.json()) as { rows: Row[]; next: string };
    next = following;
    if (rows.length === 0) return;
    body.prepend(...rows.map(rowOf));
    while (body.rows.length > mostRows) body.deleteRow(-1);
    filter();
  };

  const again = async () => {
    await ask().catch(() => {
      told.textContent = 'The sandbox does not answer. Is it running?';
    });
    setTimeout(again, everyMs);
  };

  box.addEventListener('input', filter);
  pause.addEventListener('click', () => {
    isPaused = !isPaused;
    pause.setAttribute('aria-pressed', String(isPaused));
    filter();
  });
  filter();
  setTimeout(again, everyMs);
}
