/** The log of requests: what is clicked opens beside the list, and rows appear as requests arrive. */

const everyMs = 1000;
const waitMs = 200;

export function follow(log: HTMLElement, prepare: (within: ParentNode) => void): void {
  let isLive = true;
  let shown = 0;

  /** Takes parts of another page of the log in place of those here. The focus stays on the same row. */
  const swap = async (url: string, ids: readonly string[]): Promise<boolean> => {
    shown += 1;
    const own = shown;
    const answer = await fetch(url, { cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.querySelector<HTMLElement>('.log');
    if (next === null || own !== shown) {
      if (next === null)
        tell(answer.status === 403 ? 'The sandbox was restarted. Run docs sandbox open.' : '');
      return false;
    }
    const { activeElement: focused } = document;
    for (const id of ids) {
      const [old, fresh] = [log.querySelector(`#${id}`), next.querySelector(`#${id}`)];
      if (old !== null && fresh !== null) old.replaceWith(document.adoptNode(fresh));
      const put = log.querySelector(`#${id}`);
      if (put !== null && id === 'log-open') prepare(put);
    }
    if (focused !== null && focused.id !== '' && !focused.isConnected)
      document.getElementById(focused.id)?.focus({ preventScroll: true });
    for (const key of ['last', 'path']) log.dataset[key] = next.dataset[key];
    return true;
  };

  const tell = (text: string) => {
    const told = log.querySelector('#log-told');
    if (told !== null) {
      told.textContent = text;
      told.classList.toggle('sr', text === '');
    }
  };

  const go = async (url: string, way: 'push' | 'replace' | 'none', keepsTools = false) => {
    const parts = ['log-bars', 'log-rows', 'log-open', ...(keepsTools ? [] : ['log-tools'])];
    if (!(await swap(url, parts).catch(() => false))) {
      location.href = url;
      return;
    }
    if (way === 'push') history.pushState(null, '', url);
    if (way === 'replace') history.replaceState(null, '', url);
    tools();
    if (way === 'push' && log.querySelector('.opened') !== null && innerWidth < 1100) scrollTo(0, 0);
  };

  /** The live button, and the box that filters while one types. */
  const tools = () => {
    const live = log.querySelector<HTMLButtonElement>('#live');
    const box = log.querySelector<HTMLInputElement>('#filter');
    const paged = new URL(log.dataset.path ?? '', location.href).searchParams.has('before');
    if (live !== null) {
      live.hidden = paged;
      live.setAttribute('aria-pressed', String(isLive));
      live.onclick = () => {
        isLive = !isLive;
        live.setAttribute('aria-pressed', String(isLive));
      };
    }
    if (box === null || box.form === null) return;
    const { form } = box;
    let timer = 0;
    const filter = () => {
      const query = new URLSearchParams([...new FormData(form)].map(([key, value]) => [key, String(value)]));
      void go(`${form.action}?${query}`, 'replace', true);
    };
    box.oninput = () => {
      clearTimeout(timer);
      timer = window.setTimeout(filter, waitMs);
    };
  };

  const look = async () => {
    const url = log.dataset.path ?? '';
    if (!isLive || document.hidden || url.includes('before=')) return;
    const answer = await fetch('/sandbox/requests/last', { cache: 'no-store' });
    if (answer.status === 403) tell('The sandbox was restarted. Run docs sandbox open.');
    if (!answer.ok || (await answer.text()) === log.dataset.last) return;
    const opened = log.querySelector('.request[aria-current]')?.id;
    if (await swap(url, ['log-bars', 'log-rows'])) tell('');
    if (opened !== undefined) log.querySelector(`#${opened}`)?.setAttribute('aria-current', 'true');
  };

  log.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-swap]') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void go(link.href, 'push');
  });
  log.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const rows = [...log.querySelectorAll<HTMLElement>('.request')];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (step === undefined || at === -1) return;
    rows[at + step]?.focus();
    event.preventDefault();
  });
  addEventListener('popstate', () => void go(location.href, 'none'));
  const again = async () => {
    await look().catch(() => tell('The sandbox does not answer. Is it running?'));
    setTimeout(again, everyMs);
  };
  tools();
  setTimeout(again, everyMs);
}
