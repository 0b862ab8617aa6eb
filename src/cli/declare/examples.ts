export interface Example {
  /** The arguments after `docs`. */
  run: string;
  does: string;
}

/** Examples as they are declared: what each does, by the arguments after `docs`. */
export type Examples = Readonly<Record<string, string>>;
