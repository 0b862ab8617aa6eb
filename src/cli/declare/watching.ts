/** What a watched command and its session tell the watch. */
export interface Watching {
  /** Called by a command that prints other rows than what moves: with the resource that does. */
  moves?(resource: unknown): void;
  /** Called instead of a line on the terminal, while a request waits. */
  waits?(ms: number, reason: string): void;
}
