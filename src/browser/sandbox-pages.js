// The script of the sandbox's pages: copy buttons, and the requests as they come. All text is set as text.
(() => {
  const showButtons = (within) => {
    for (const button of within.querySelectorAll('button[data-copy]'))
      button.hidden = button.dataset.copy === '';
  };

  document.addEventListener('click', async (event) => {
    const button = event.target.closest?.('button[data-copy]');
    if (!button) return;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });

  showButtons(document);
  const table = document.querySelector('table[data-rows]');
  if (table) follow(table);

  function follow(table) {
    const every = 1000;
    const most = 1000;
    const body = table.tBodies[0];
    const template = document.getElementById('row').content.firstElementChild;
    const form = document.querySelector('[data-filter]');
    const told = document.querySelector('[data-told]');
    const pause = form.querySelector('[data-pause]');
    const box = form.querySelector('input');
    let isPaused = false;
    let next = table.dataset.rows;
    form.hidden = false;
    form.addEventListener('submit', (event) => event.preventDefault());

    const matches = (row, words) => words.every((word) => row.textContent.toLowerCase().includes(word));
    const filter = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of body.rows) {
        row.hidden = !matches(row, words);
        if (!row.hidden) shown += 1;
      }
      const all = body.rows.length;
      told.textContent =
        all === 0 ? 'No requests yet.' : `${shown} of the last ${all} shown${isPaused ? ', paused' : ''}.`;
    };

    const rowOf = (request) => {
      const row = template.cloneNode(true);
      for (const part of row.querySelectorAll('[data-of]')) {
        const text = request[part.dataset.of] ?? '';
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
      const { rows, next: following } = await answer.json();
      next = following;
      if (rows.length === 0) return;
      body.prepend(...rows.map(rowOf));
      while (body.rows.length > most) body.deleteRow(-1);
      filter();
    };

    const again = async () => {
      try {
        await ask();
      } catch {
        told.textContent = 'The sandbox does not answer. Is it running?';
      }
      setTimeout(again, every);
    };

    box.addEventListener('input', filter);
    pause.addEventListener('click', () => {
      isPaused = !isPaused;
      pause.setAttribute('aria-pressed', String(isPaused));
      filter();
    });
    filter();
    setTimeout(again, every);
  }
})();
