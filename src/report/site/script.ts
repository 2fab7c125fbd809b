/** The scripts of pages: plain ones, which run from files too. Pages do without them. */

/** Opens all that is folded away before a page is printed, where style sheets cannot. */
export const PRINTING = `
var closed=[];
addEventListener('beforeprint',function(){
closed=[].slice.call(document.querySelectorAll('details:not([open])'));
closed.forEach(function(d){d.open=true});
});
addEventListener('afterprint',function(){closed.forEach(function(d){d.open=false});closed=[]});
`;

/** Lets the keyboard scroll what is wider than its box. */
export const REACHING = `
function reach(){
[].forEach.call(document.querySelectorAll('.scroll,.picture,pre'),function(box){
if(box.getAttribute('role')==='region')return;
if(box.scrollWidth>box.clientWidth)box.tabIndex=0;else box.removeAttribute('tabindex');
});
}
addEventListener('resize',reach);
document.addEventListener('toggle',reach,true);
reach();
`;

/** Opens what an address points to. */
const UNFOLDING = `
function unfold(){
var at=document.getElementById(decodeURIComponent(location.hash.slice(1)));
for(var d=at&&at.closest('details');d;d=d.parentElement.closest('details'))d.open=true;
if(at)at.scrollIntoView();
}
addEventListener('hashchange',unfold);
if(location.hash.length>1)unfold();
`;

/** Keys are left alone where somebody types, and where they mean something to the browser. */
export const AROUND_KEYS = `
function busy(e){
return e.ctrlKey||e.altKey||e.metaKey||/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName||'');
}
`;

/** To the tests before and after by key; what the index was filtered by goes along, and back. */
const GOING = `
addEventListener('keydown',function(e){
var which={'[':'prev',']':'next'}[e.key];
var link=which&&!busy(e)&&document.querySelector('a[rel='+which+']');
if(link)link.click();
});
if(location.search.length>1)[].forEach.call(document.querySelectorAll('nav a'),function(link){
if(link.rel){link.search=location.search;return}
var place=link.hash.slice(1);
link.hash='#'+location.search+(place?'&at='+place:'');
});
`;

/** Lets a picture be kept as a file. */
const SAVING = `
[].forEach.call(document.querySelectorAll('.save'),function(button){
button.hidden=false;
button.addEventListener('click',function(){
var svg=button.closest('figure').querySelector('svg');
var link=document.createElement('a');
link.download=button.dataset.name;
link.href=URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)],{type:'image/svg+xml'}));
link.click();
setTimeout(function(){URL.revokeObjectURL(link.href)},1000);
});
});
`;

export const TEST_SCRIPT = `(function(){'use strict';${PRINTING}${REACHING}${UNFOLDING}${AROUND_KEYS}${GOING}${SAVING}})();`;
