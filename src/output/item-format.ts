/** How one of the formats writes: one file a format, each gives one of these for one printing. */
export interface ItemFormat {
  /** The text before the items, such as a header; a table fits its columns to the first page. */
  begin?(firstPage: readonly unknown[], more: boolean): string;
  /** The text of some items; called with one part of a list after another. */
  items(values: readonly unknown[]): string;
  /** What closes a complete list. Never written when a list failed. */
  end?(): string;
  /** The text of a single resource. */
  one(value: unknown): string;
  /** Looks up what it shows of these items beside what they hold. @param whole whether all of them is shown */
  learn?: (items: readonly unknown[], whole: boolean) => Promise<void>;
}

/** The format, once it knows what it needs to show the items. */
export async function informed(
  opening: Promise<ItemFormat>,
  items: readonly unknown[],
  whole = false,
): Promise<ItemFormat> {
  const format = await opening;
  await format.learn?.(items, whole);
  return format;
}
