import type { Step } from './record.js';

/** The first day of somebody new, without the guide. */
export function firstDay(url: string, token: string): Step[] {
  const done = /\$ $/;
  const line = (text: string): Step => ({ type: `${text}\r`, until: done });
  return [
    { type: 'docs auth login\r', until: /Address of the platform/ },
    { type: `${url}\r`, until: /Token/ },
    { type: `${token}\r`, until: done },
    { type: 'docs orgs use\r', until: /Acme Docs/ },
    { type: '\r', until: done },
    line('docs spaces get "Product Guide" --fields title,visibility,id'),
    line('docs change-requests list --space "Welcome"'),
    { type: 'docs change-requests merge --space "Welcome"\r', until: /select|navigate/ },
    { type: '\r', until: /\(y\/N\)/i },
    { type: 'y\r', until: done },
    { type: 'docs spaces delete "Product Guide"\r', until: /Type the title/ },
    { type: 'Product Guide\r', until: done },
    line('docs trash list'),
    line('docs trash restore "Product Guide"'),
  ];
}
