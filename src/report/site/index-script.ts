import { AROUND_KEYS, PRINTING, REACHING } from './script.js';

/** The filters of the index. What they are set to is in the address, behind `#?`, and goes along to the pages of tests, behind `?`. */
const FILTERS = `
var form=document.getElementById('filters');
var shown=document.getElementById('shown');
var table=document.querySelector('.outcomes');
var rows=[].slice.call(document.querySelectorAll('tr.row')).map(function(row,i){
var cells=[].slice.call(row.querySelectorAll('[data-outcome]'));
return {row:row,place:i,client:row.dataset.client==='yes',text:row.dataset.text,flags:(row.dataset.flags||'').split(' '),
outcomes:cells.map(function(c){return c.dataset.outcome})};
});
var models=[].slice.call(form.elements.model.options,1).map(function(o){return o.value});
var boxes=[].slice.call(form.querySelectorAll('[name=only]'));
function matches(r,words,model,verdict,only){
var outcomes=model<0?r.outcomes:r.client?[]:[r.outcomes[model]];
return words.every(function(w){return r.text.indexOf(w)>=0})&&
only.every(function(f){return r.flags.indexOf(f)>=0})&&
(model<0&&!verdict||outcomes.some(function(o){return verdict?o===verdict:Boolean(o)}));
}
function apply(){
var words=form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
var model=models.indexOf(form.elements.model.value);
var verdict=form.elements.verdict.value;
var only=boxes.filter(function(b){return b.checked}).map(function(b){return b.value});
var count=0;
rows.forEach(function(r){
r.row.hidden=!matches(r,words,model,verdict,only);
if(!r.row.hidden)count+=1;
});
[].forEach.call(table.tBodies,function(body){
body.hidden=!body.querySelector('tr.row:not([hidden])');
});
table.classList.toggle('filtered',count<rows.length);
table.hidden=count===0;
document.getElementById('none').hidden=count>0;
shown.textContent=count===0?'no match':(count===rows.length?'all '+count:count+' of '+rows.length)+
(rows.length===1?' question':' questions');
}
`;

/** From how many rows on a table of several folders begins with its folders closed. */
const MANY = 50;

/** Folders that open and close. While something is filtered, what matches is there, whatever its folder. */
const FOLDING = `
var bodies=[].slice.call(table.tBodies);
var folds=bodies.length>1&&rows.length>=${MANY};
function fold(body,closed){
body.classList.toggle('folded',closed);
body.querySelector('h2 button').setAttribute('aria-expanded',String(!closed));
}
if(folds)bodies.forEach(function(body){
var head=body.querySelector('h2');
var button=document.createElement('button');
button.type='button';
button.textContent=head.textContent;
head.textContent='';
head.appendChild(button);
fold(body,true);
button.addEventListener('click',function(){
fold(body,!body.classList.contains('folded'));
change();
});
});
function reveal(id){
var at=document.getElementById(id);
if(!at)return;
if(at.localName==='details')at.open=true;
if(folds&&at.localName==='tr')fold(at.parentElement,false);
at.scrollIntoView();
}
`;

/** Columns that sort all rows, whatever their folders: up, down, and folder by folder as they were. */
const SORTING = `
var heads=[].slice.call(table.tHead.rows[0].cells);
var names=heads.map(function(h){return h.textContent});
var sorted='';
var together=document.createElement('tbody');
table.insertBefore(together,table.tBodies[0]);
var folders=document.querySelector('.folders');
rows.forEach(function(r){
r.home=r.row.parentElement;
r.row.cells[0].dataset.folder=r.home.querySelector('h2').textContent;
});
function keyOf(r,column){
if(column>1&&column<names.length-1)return r.client?'':r.outcomes[column-2]||'';
var cell=column===names.length-1?r.row.querySelector('td.hardware'):r.row.cells[column];
return (cell?cell.textContent:'').trim().toLowerCase();
}
function sort(by){
var down=by.charAt(0)==='-';
var column=names.indexOf(by.slice(down?1:0));
sorted=column<0?'':by;
heads.forEach(function(h,i){
if(i===column)h.setAttribute('aria-sort',down?'descending':'ascending');else h.removeAttribute('aria-sort');
});
var keys=rows.map(function(r){return column<0?'':keyOf(r,column)});
var order=rows.slice().sort(function(a,b){
var x=keys[a.place],y=keys[b.place];
if(x===y)return a.place-b.place;
if(!x||!y)return x?-1:1;
return (x<y?-1:1)*(down?-1:1);
});
order.forEach(function(r){(sorted?together:r.home).appendChild(r.row)});
table.classList.toggle('sorted',Boolean(sorted));
if(folders)folders.hidden=Boolean(sorted);
}
heads.forEach(function(head,i){
var button=document.createElement('button');
button.type='button';
button.textContent=names[i];
head.textContent='';
head.appendChild(button);
button.addEventListener('click',function(){
sort(sorted===names[i]?'-'+names[i]:sorted==='-'+names[i]?'':names[i]);
change();
});
});
`;

const STATE = `
function state(){
var all=new URLSearchParams();
['text','model','verdict'].forEach(function(name){
if(form.elements[name].value)all.set(name,form.elements[name].value);
});
boxes.forEach(function(b){if(b.checked)all.append('only',b.value)});
if(sorted)all.set('sort',sorted);
if(folds)bodies.forEach(function(b){if(!b.classList.contains('folded'))all.append('open',b.rows[0].id)});
return all.toString();
}
function save(){
var text=state();
history.replaceState(null,'',location.href.split('#')[0]+(text?'#?'+text:''));
}
function restore(){
var hash=location.hash;
if(hash&&hash.slice(0,2)!=='#?')return reveal(decodeURIComponent(hash.slice(1)));
var all=new URLSearchParams(hash.slice(2));
['text','model','verdict'].forEach(function(name){
form.elements[name].value=all.get(name)||'';
if(form.elements[name].selectedIndex<0)form.elements[name].value='';
});
var only=all.getAll('only');
boxes.forEach(function(b){b.checked=only.indexOf(b.value)>=0});
if(folds)bodies.forEach(function(b){fold(b,all.getAll('open').indexOf(b.rows[0].id)<0)});
if((all.get('sort')||'')!==sorted)sort(all.get('sort')||'');
apply();
reveal(all.get('at')||'');
}
function change(){apply();save()}
function carry(e){
var link=e.target.closest&&e.target.closest('a');
if(link&&table.contains(link))link.search=state();
}
addEventListener('click',carry,true);
addEventListener('auxclick',carry,true);
form.addEventListener('input',change);
form.addEventListener('submit',function(e){e.preventDefault()});
form.addEventListener('reset',function(){sort('');setTimeout(change)});
addEventListener('hashchange',restore);
addEventListener('pageshow',function(){restore();apply()});
addEventListener('keydown',function(e){
if(e.key!=='/'||busy(e))return;
e.preventDefault();
form.elements.text.focus();
form.elements.text.select();
});
form.hidden=false;
restore();
apply();
`;

export const INDEX_SCRIPT = `(function(){'use strict';${PRINTING}${REACHING}${AROUND_KEYS}${FILTERS}${FOLDING}${SORTING}${STATE}})();`;
