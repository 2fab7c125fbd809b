import { describe } from 'vitest';
import { DOCUMENT, TRANSCRIPT, documentTests, hasLongRuns } from '../support/document-tests.js';
import { DOCUMENTS, LONG_DOCUMENTS, TRANSCRIPTS } from '../support/documents.js';

describe.each(LONG_DOCUMENTS)('%s', (file) => {
  documentTests(file, DOCUMENT, 'whole');
});

const others = DOCUMENTS.filter((file) => !LONG_DOCUMENTS.includes(file));

describe.each(others.filter(hasLongRuns))('%s', (file) => {
  documentTests(file, DOCUMENT, 'long');
});

describe.each(TRANSCRIPTS.filter(hasLongRuns))('%s', (file) => {
  documentTests(file, TRANSCRIPT, 'long');
});
