import { describe } from 'vitest';
import { documentTests } from '../support/document-tests.js';
import { LONG_DOCUMENTS } from '../support/documents.js';

describe.each(LONG_DOCUMENTS)('%s', documentTests);
