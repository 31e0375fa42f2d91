// Puts everything on the page. A plot is a function that draws it anew, so that hiding a method or a change between
// light and dark redraws all.
'use strict';

const plots = [];  // {canvas, config()}
const charts = new Map();

function element(parent, tag, text = '', attributes = {}) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function grid(parent, columns) {
  const made = element(parent, 'div', '', {class: 'plots'});
  made.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  return made;
}

function plot(parent, title, height, config) {
  const panel = element(parent, 'figure', '', {class: 'plot'});
  element(panel, 'h3', title);
  const box = element(panel, 'div');
  box.style.height = height + 'px';
  const label = title + '. The numbers are in the table below.';
  plots.push({canvas: element(box, 'canvas', '', {role: 'img', 'aria-label': label}), config});
}
const barHeight = rows => 48 + 20 * distinct(rows.map(row => row.method)).length;

function redraw() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  for (const {canvas, config} of plots) {
    charts.get(canvas)?.destroy();
    charts.set(canvas, new Chart(canvas, config()));
  }
}

function foldedTable(parent, rows, open) {
  const details = element(parent, 'details');
  details.open = open;
  element(details, 'summary', `Table: ${rows.length} rows`);
  table(details, rows);
}

// A click on a column's name sorts by it, a second one the other way round.
function table(parent, rows) {
  const columns = distinct(rows.flatMap(row => Object.keys(row)));
  const made = element(element(parent, 'div', '', {class: 'table'}), 'table');
  const head = element(element(made, 'thead'), 'tr');
  const body = element(made, 'tbody');
  const isNumber = column => rows.some(row => number(row[column]));
  const fill = sorted => {
    body.replaceChildren();
    for (const row of sorted) {
      const line = element(body, 'tr');
      for (const column of columns) {
        const value = row[column] ?? '–';
        const cell = element(line, 'td', number(value) ? digits(value) : String(value));
        if (isNumber(column)) cell.className = 'number';
      }
    }
  };
  for (const column of columns) {
    const cell = element(head, 'th', '', {scope: 'col', class: isNumber(column) ? 'number' : ''});
    element(cell, 'button', column, {type: 'button', title: 'Sort by ' + column}).addEventListener('click', () => {
      const sign = cell.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      for (const other of head.children) other.removeAttribute('aria-sort');
      cell.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
      const known = rows.filter(row => row[column] != null), unknown = rows.filter(row => row[column] == null);
      const order = isNumber(column) ? (a, b) => a - b : (a, b) => String(a).localeCompare(b);
      known.sort((a, b) => sign * order(a[column], b[column]));
      fill([...known, ...unknown]);
    });
  }
  fill(rows);
}

// --- What is shown

function legend() {
  const nav = document.getElementById('methods');
  nav.replaceChildren();
  for (const name of measured) {
    const button = element(nav, 'button', '', {type: 'button', 'aria-pressed': String(!hidden.has(name))});
    const mark = element(button, 'canvas', '', {width: 32, height: 32, 'aria-hidden': 'true'});
    const ctx = mark.getContext('2d');
    const [style, rotation] = shape(name);
    ctx.scale(2, 2);
    ctx.fillStyle = ctx.strokeStyle = colour(name);
    ctx.lineWidth = 1.8;
    Chart.helpers.drawPoint(ctx, {pointStyle: style, radius: 6, borderWidth: 1.8, rotation}, 8, 8);
    button.append(name);
    button.addEventListener('click', () => {
      hidden.has(name) ? hidden.delete(name) : hidden.add(name);
      legend();
      redraw();
    });
  }
}

function summary(parent) {
  const rows = data.tasks.flatMap(({task, rows}) => (TASKS[task]?.winners(rows) ?? []).map(({label, best, of}) => ({
    task: TASKS[task].heading,
    case: label,
    quickest: best[0]?.method ?? 'none',
    'µs': best[0]?.time ?? null,
    next: best[1]?.method ?? null,
    'times as long': best[1] ? best[1].time / best[0].time : null,
    'among those': of,
  })));
  if (rows.length === 0) return;
  const section = element(parent, 'section', '', {'aria-label': 'Who is quickest'});
  element(section, 'h2', 'Who is quickest');
  const note = 'The least time in each case, and the next best, among the methods that did the work.';
  element(section, 'p', note, {class: 'note'});
  table(section, rows);
}

function page() {
  document.getElementById('run').textContent = `limber ${data.limber}, ${data.quick ? 'quick run' : 'full run'}, ` +
    `${data.date}, on ${data.machine}, built by ${data.compiler}.`;
  const main = document.getElementById('tasks');
  summary(main);
  for (const {task, title, rows} of data.tasks) {
    const section = element(main, 'section', '', {'aria-label': task});
    element(section, 'h2', TASKS[task]?.heading ?? task);
    element(section, 'p', `${task}: ${title}.`);
    if (TASKS[task] && rows.length > 0) {
      element(section, 'p', TASKS[task].note, {class: 'note'});
      TASKS[task].draw(section, rows);
    }
    foldedTable(section, rows, !TASKS[task]);
  }
  legend();
  redraw();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { legend(); redraw(); });
}

page();
