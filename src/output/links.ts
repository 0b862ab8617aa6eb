import { isCi } from './terminal.js';

/** Whether a terminal is known to show OSC 8 links; others may print them as text. FORCE_HYPERLINK decides. */
export function showsLinks(env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env.FORCE_HYPERLINK;
  if (forced !== undefined && forced !== '') return forced !== '0';
  const term = env.TERM ?? '';
  if (isCi({ env }) || term === 'dumb' || /^(screen|tmux|linux)/.test(term)) return false;
  if (env.WT_SESSION || env.KONSOLE_VERSION || env.DOMTERM || env.KITTY_WINDOW_ID) return true;
  if (/^(xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/.test(term)) return true;
  if (['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'zed'].includes(env.TERM_PROGRAM ?? ''))
    return true;
  return Number(env.VTE_VERSION ?? 0) >= 5000;
}

/**
 * Sanitised text that opens an http(s) address when clicked: a terminal would hand others to whatever program
 * claims them. URL encodes whatever in the address could end the escape sequence.
 */
export function link(text: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return text;
  return `\x1b]8;;${url.href}\x1b\\${text}\x1b]8;;\x1b\\`;
}
