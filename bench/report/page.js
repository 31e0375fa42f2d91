// What a click does: a button of the legend hides a method in all plots, a column's name sorts its table.
'use strict';

for (const button of document.querySelectorAll('#methods button'))
  button.addEventListener('click', () => {
    const hidden = document.body.classList.toggle('hide-' + button.value);
    button.setAttribute('aria-pressed', String(!hidden));
  });

// Numbers by size, texts by their letters; what is not there comes last. A second click sorts the other way round.
function sort(heading) {
  const table = heading.closest('table'), body = table.tBodies[0];
  const column = heading.cellIndex, sign = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
  for (const other of heading.parentElement.cells) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
  const isNumber = heading.classList.contains('number');
  const value = row => {
    const cell = row.cells[column];
    if (isNumber) return 'value' in cell.dataset ? Number(cell.dataset.value) : null;
    return cell.textContent === '–' ? null : cell.textContent;
  };
  const order = (a, b) => {
    const x = value(a), y = value(b);
    if (x === null || y === null) return (x === null) - (y === null);
    return sign * (isNumber ? x - y : x.localeCompare(y));
  };
  body.append(...[...body.rows].sort(order));
}

for (const heading of document.querySelectorAll('thead th'))
  heading.querySelector('button').addEventListener('click', () => sort(heading));
