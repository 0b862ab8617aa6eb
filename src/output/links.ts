import { isCi } from '../terminal.js';

/** Whether a terminal is known to show OSC 8 links: others may print them as text. FORCE_HYPERLINK=0 or 1 decides. */
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
 * Text that opens an address when clicked, if that is http(s): a terminal would hand others to whatever program
 * claims them. The address is written as URL gives it back, which encodes whatever could end the escape sequence.
 * @param text sanitised already
 */
export function link(text: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return text;
  return `\x1b]8;;${url.href}\x1b\\${text}\x1b]8;;\x1b\\`;
}
