import type { AnyOperation } from '../api/operation.js';
import { JournalFolder } from './journal-folder.js';
import { operationIn } from './operations.js';

/** The journals of jobs, with the operations that they name. */
export class JobFolder extends JournalFolder {
  protected override operationIn(id: string): AnyOperation {
    return operationIn(id);
  }
}
