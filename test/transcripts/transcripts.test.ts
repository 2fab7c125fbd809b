import { describe } from 'vitest';
import { TRANSCRIPT, documentTests } from '../support/document-tests.js';
import { TRANSCRIPTS } from '../support/documents.js';

describe.each(TRANSCRIPTS)('%s', (file) => {
  documentTests(file, TRANSCRIPT);
});
