// Writes docs/papers.md.
import { writeFileSync } from 'node:fs';
import { PAGE, allMarks, claimsOfPapers, papersPage } from './papers/page.js';

writeFileSync(PAGE, papersPage(claimsOfPapers(), allMarks()));
