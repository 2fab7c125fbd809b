/** The scripts of pages: plain ones, which run from files too. Pages do without them. */

/** Opens all that is folded away before a page is printed, where style sheets cannot. */
const PRINTING = `
var closed=[];
addEventListener('beforeprint',function(){
closed=[].slice.call(document.querySelectorAll('details:not([open])'));
closed.forEach(function(d){d.open=true});
});
addEventListener('afterprint',function(){closed.forEach(function(d){d.open=false});closed=[]});
`;

/** Lets the keyboard scroll what is wider than its box, and reach what an address points to. */
const REACHING = `
function reach(){
[].forEach.call(document.querySelectorAll('.scroll,.picture,pre'),function(box){
if(box.getAttribute('role')==='region')return;
if(box.scrollWidth>box.clientWidth)box.tabIndex=0;else box.removeAttribute('tabindex');
});
}
addEventListener('resize',reach);
document.addEventListener('toggle',reach,true);
reach();
function unfold(){
var at=document.getElementById(decodeURIComponent(location.hash.slice(1)));
for(var d=at&&at.closest('details');d;d=d.parentElement.closest('details'))d.open=true;
if(at)at.scrollIntoView();
}
addEventListener('hashchange',unfold);
if(location.hash.length>1)unfold();
`;

export const TEST_SCRIPT = `(function(){'use strict';${PRINTING}${REACHING}})();`;

/** The filters of the index. What they are set to is in the address, behind \`#?\`. */
const FILTERS = `
var form=document.getElementById('filters');
var shown=document.getElementById('shown');
var rows=[].slice.call(document.querySelectorAll('tr.row')).map(function(row){
var cells=[].slice.call(row.querySelectorAll('[data-outcome]'));
return {row:row,client:row.dataset.client==='yes',text:row.dataset.text,flags:(row.dataset.flags||'').split(' '),
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
[].forEach.call(document.querySelectorAll('.outcomes tbody'),function(body){
body.hidden=!body.querySelector('tr.row:not([hidden])');
});
shown.textContent=(count===rows.length?'all '+count:count+' of '+rows.length)+
(rows.length===1?' question':' questions');
}
function save(){
var state=new URLSearchParams();
['text','model','verdict'].forEach(function(name){
if(form.elements[name].value)state.set(name,form.elements[name].value);
});
boxes.forEach(function(b){if(b.checked)state.append('only',b.value)});
var text=state.toString();
history.replaceState(null,'',location.href.split('#')[0]+(text?'#?'+text:''));
}
function restore(){
var hash=location.hash;
if(hash&&hash.slice(0,2)!=='#?')return;
var state=new URLSearchParams(hash.slice(2));
['text','model','verdict'].forEach(function(name){
form.elements[name].value=state.get(name)||'';
if(form.elements[name].selectedIndex<0)form.elements[name].value='';
});
var only=state.getAll('only');
boxes.forEach(function(b){b.checked=only.indexOf(b.value)>=0});
apply();
}
function change(){apply();save()}
form.addEventListener('input',change);
form.addEventListener('submit',function(e){e.preventDefault()});
form.addEventListener('reset',function(){setTimeout(change)});
addEventListener('hashchange',restore);
addEventListener('pageshow',function(){restore();apply()});
form.hidden=false;
restore();
apply();
`;

export const INDEX_SCRIPT = `(function(){'use strict';${PRINTING}${FILTERS}})();`;
