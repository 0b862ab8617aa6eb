/** What of vitest's JSON is read. */
export interface Report {
  testResults: readonly {
    name: string;
    status: string;
    assertionResults: readonly { status: string }[];
  }[];
}

export function filesAgain(report: Report, cwd: string): string[];

export function summary(first: Report, second: Report | undefined, cwd: string): string[];
