/** A size in bytes in decimal units: `1.2 MB`. */
export function byteSize(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  for (; size >= 999.5 && unit < units.length - 1; unit += 1) size /= 1000;
  const whole = unit === 0 || size >= 100;
  return `${whole ? Math.round(size) : size.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`;
}
