/** The scripts of pages: plain ones, which run from files too. Without them pages have all but their pictures. */

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

/**
 * Draws each picture when it is opened, and all before a page is printed. In the text of all pictures each has a name, which its ids
 * begin with; a place where it is shown has an id in its stead.
 */
const DRAWING = `
var pack=document.getElementById('pictures');
var figures=[].slice.call(document.querySelectorAll('figure'));
var pictures={};
function draw(figure){
var own=figure.dataset;
if(!pictures[own.picture]||figure.querySelector('svg'))return;
var box=figure.querySelector('.picture');
box.firstElementChild.innerHTML=pictures[own.picture].split(own.picture).join(own.id);
box.querySelector('title').textContent=own.title;
box.insertAdjacentHTML('beforebegin','<p class="sideways">This picture is wider than its place: it scrolls sideways.</p>');
box.insertAdjacentHTML('afterend','<button type="button" class="save">Save as SVG</button>');
box.nextElementSibling.addEventListener('click',function(){save(figure)});
}
function drawOpened(){
figures.forEach(function(figure){if(!figure.closest('details:not([open])'))draw(figure)});
reach();
}
function unpack(texts){
texts.split('\\0').forEach(function(svg){pictures[/id="([^"]*)"/.exec(svg)[1]]=svg});
document.addEventListener('toggle',drawOpened,true);
addEventListener('beforeprint',function(){figures.forEach(draw)});
drawOpened();
}
if(pack){
var bytes=Uint8Array.from(atob(pack.textContent),function(c){return c.charCodeAt(0)});
new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text().then(unpack);
}
`;

/** Lets a picture be kept as a file. */
const SAVING = `
function save(figure){
var link=document.createElement('a');
link.download=document.body.dataset.name+'-'+figure.dataset.id+'.svg';
var text=new XMLSerializer().serializeToString(figure.querySelector('svg'));
link.href=URL.createObjectURL(new Blob([text],{type:'image/svg+xml'}));
link.click();
setTimeout(function(){URL.revokeObjectURL(link.href)},1000);
}
`;

export const TEST_SCRIPT = `(function(){'use strict';${PRINTING}${REACHING}${UNFOLDING}${AROUND_KEYS}${GOING}${SAVING}${DRAWING}})();`;
