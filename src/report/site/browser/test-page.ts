// The script of the pages of tests. Without it, a page lacks nothing but its pictures.
import { drawWhenOpened } from './drawing.js';
import { goByKey } from './going.js';
import { unfoldForPrint } from './printing.js';
import { keepReachable } from './reaching.js';
import { unfoldTarget } from './unfolding.js';

unfoldForPrint();
keepReachable();
unfoldTarget();
goByKey();
drawWhenOpened();
