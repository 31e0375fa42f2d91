// What is drawn for each task, and who is quickest in it. A task that is not here is shown as its table.
'use strict';

// Which rows did what was asked: solved about as many as the best, or came about as near.
const mostSolved = rows => {
  const best = Math.max(...rows.map(row => row['solved %'] ?? 0));
  return row => row['solved %'] >= best - 1;
};
const nearest = rows => {
  const least = column => Math.min(...rows.map(row => row[column]).filter(number));
  const cm = least('left cm'), deg = least('left deg');
  return row => row['left cm'] <= cm + 0.1 && row['left deg'] <= deg + 1;
};
// What is less is as good as nothing, and would stretch the axis over decades that say nothing.
const NEAR_FLOOR = 1e-4;   // cm
const DRIFT_FLOOR = 1e-4;  // mm
const SLIDING_FLOOR = 1e-3;  // mm

const TASKS = {
  nine: {
    heading: 'Following a walk',
    note: 'Down and left is better. A method has a point for each limit on its iterations a frame; the larger the ' +
      'mark, the more were allowed. The fewer frames are taken, the farther the goals jump.',
    winners: rows => facets(rows, ['motion', 'root', 'every']).map(({label, rows}) => {
      const known = rows.filter(row => number(row.cm));
      const least = Math.min(...known.map(row => row.cm));
      const near = known.filter(row => row.cm <= least + 0.01);
      return {label, best: quickest(near, 'us'), of: 'within 0.1 mm of the nearest'};
    }),
    draw(parent, rows) {
      const motions = distinct(rows.map(row => row.motion));
      const spans = {x: span(rows.map(row => row.us)), y: span(rows.map(row => row.cm), {floor: NEAR_FLOOR})};
      if (rows.some(row => row.cm <= NEAR_FLOOR)) spans.y.min = NEAR_FLOOR / 2;
      const near = cm => cm > 1.01 * NEAR_FLOOR ? length(cm) : length(cm) + ' or less';
      const every = distinct(rows.map(row => row.every));
      for (const motion of motions) {
        if (motions.length > 1) element(parent, 'h3', motion);
        const panels = grid(parent, every.length);
        for (const {label, rows: part} of facets(where(rows, {motion}), ['root', 'every']))
          plot(panels, label, 300, () => lines(
            part,
            own => own.sort((a, b) => a.iterations - b.iterations).map(
              row => ({x: row.us, y: number(row.cm) ? Math.max(row.cm, NEAR_FLOOR) : null, row})),
            axis('time a frame', time, spans.x), axis('mean distance', near, spans.y), told,
            row => 2 + 1.4 * Math.log10(row.iterations ?? 20) ** 1.5));
      }
    },
  },
  chain: {
    heading: 'A chain of seven joints',
    note: 'Up and left is better: digits of accuracy against time. A line ends where the method came no nearer.',
    winners: rows => facets(rows, ['goal']).map(({label, rows}) =>
      ({label, best: quickest(rows.filter(row => number(row['8'])), '8'), of: 'to eight digits'})),
    draw(parent, rows) {
      const steps = ['1', '2', '3', '4', '5', '6', '7', '8'];
      const x = span(rows.flatMap(row => steps.map(d => row[d])), {floor: 0.1});
      const panels = grid(parent, 2);
      for (const {label, rows: part} of facets(rows, ['goal']))
        plot(panels, label, 380, () => lines(
          part, own => own.flatMap(row => steps.map(d => ({x: row[d], y: Number(d), row}))),
          axis('time', time, x), linear('digits', plain, {min: 0.5, max: 8.5}, steps.map(Number)),
          (row, point) => `${row.method}: ${point.y} digits in ${time(point.x)}`));
    },
  },
  arms: {
    heading: 'Robot arms',
    note: 'Left: how many poses were reached, longer is better. Right: the median time, shorter is better; pale ' +
      'where a method solved fewer than the best by more than one in a hundred.',
    winners: rows => facets(rows, ['robot']).map(solvedBest),
    draw: (parent, rows) => solvedAndTime(parent, rows, ['robot']),
  },
  human: {
    heading: 'A human in motion',
    note: 'Left: how many frames were met to a tenth of a millimetre, longer is better. Right: the median time, ' +
      'shorter is better; pale where a method solved fewer than the best by more than one in a hundred.',
    winners: rows => facets(rows, ['motion', 'root', 'start']).map(solvedBest),
    draw: (parent, rows) => solvedAndTime(parent, rows, ['motion', 'root', 'start']),
  },
  natural: {
    heading: 'Natural poses',
    note: 'How far the joints that were not given are from where they were recorded, on average; shorter is better. ' +
      'The prior was learned from the motions of other people.',
    winners: () => [],
    draw(parent, rows) {
      const own = rows.map(row => ({
        ...row,
        label: `${row.prior === 'none' ? 'no prior' : 'prior'}, from ${row.start === 'rest' ? 'rest' : 'the last frame'}`,
        hue: row.prior === 'none' ? 'faint' : 'automatic',
      }));
      const most = Math.ceil(1.15 * Math.max(...own.map(row => row.cm)));
      const ticks = [0, 5, 10, 15, 20, 25, 30].filter(cm => cm <= most);
      const panels = grid(parent, 2);
      const whole = row => row.motion === 'all';
      for (const {label, rows: part} of facets([...own.filter(whole), ...own.filter(row => !whole(row))], ['motion', 'given']))
        plot(panels, label === 'all, all' ? 'all motions' : label, 50 + 26 * part.length,
             () => bars(part, 'cm', linear('', unit('cm'), {min: 0, max: most}, ticks), unit('cm')));
    },
  },
  postures: {
    heading: 'Postures of the papers',
    note: 'Time to the end of a solve; shorter is better. Pale: ended more than a millimetre or a degree farther ' +
      'than the best. No bar: rejected, mostly because the figure has limits that tie several joints.',
    winners: rows => facets(rows, ['posture']).map(({label, rows}) =>
      ({label, best: quickest(rows.filter(nearest(rows)), 'us'), of: 'within 1 mm and 1° of the nearest'})),
    draw(parent, rows) {
      const postures = distinct(rows.map(row => row.posture));
      const y = span(rows.map(row => row.us), {bars: true});
      plot(grid(parent, 1), 'Time by posture and method', 420, () => {
        const cell = (posture, method) => rows.find(row => row.posture === posture && row.method === method);
        const near = Object.fromEntries(postures.map(p => [p, nearest(where(rows, {posture: p}))]));
        const datasets = shown(rows).map(name => ({
          label: name,
          data: postures.map(posture => cell(posture, name)?.us ?? null),
          backgroundColor: postures.map(p => colour(name) + (cell(p, name) && near[p](cell(p, name)) ? '' : '44')),
          borderColor: colour(name),
          borderWidth: 1,
          barPercentage: 1,
          categoryPercentage: 0.86,
        }));
        return {
          type: 'bar',
          data: {labels: postures, datasets},
          options: {
            animation: false,
            maintainAspectRatio: false,
            scales: {
              x: {ticks: {color: css('ink')}, grid: {display: false}, border: {color: css('line')}},
              y: axis('time', time, {...y, max: y.max / 3}),
            },
            plugins: {
              legend: {display: false},
              tooltip: tooltip(item => told(cell(postures[item.dataIndex], item.dataset.label))),
            },
          },
        };
      });
    },
  },
  locked: {
    heading: 'Feet locked, pelvis turned',
    note: 'Left: frames a second, longer is better. Right: the farthest that a foot left its place, shorter is ' +
      'better. Pale: the pelvis was more than a degree off on average. Methods without locks weigh the feet a ' +
      'hundred times the pelvis.',
    winners: rows => facets(rows, ['iterations']).map(({label, rows}) => ({
      label,
      best: quickest(rows.filter(row => row['max drift mm'] <= 1 && row['pelvis deg'] <= 1), 'us'),
      of: 'feet within 1 mm, pelvis within 1°',
    })),
    draw(parent, rows) {
      const panels = grid(parent, 2);
      const speed = span(rows.map(row => row['frames/s']), {bars: true});
      const drift = span(rows.map(row => row['max drift mm']), {floor: DRIFT_FLOOR, bars: true});
      const off = row => row['pelvis deg'] > 1;
      for (const {label, rows: part} of facets(rows, ['iterations'])) {
        plot(panels, `At most ${label}: frames a second`, barHeight(part),
             () => bars(part, 'frames/s', axis('', plain, speed), plain, off));
        plot(panels, `At most ${label}: largest drift of a foot`, barHeight(part),
             () => bars(part, 'max drift mm', axis('', unit('mm'), drift), unit('mm'), off));
      }
    },
  },
  size: {
    heading: 'Cost against size',
    note: 'Lower is better. The dashed line rises in proportion to the degrees of freedom.',
    winners: () => [],
    draw(parent, rows) {
      const columns = [['whole solve', 'solve us', 'automatic'], ['value and gradient', 'gradient us', 'link'],
                       ['forward kinematics', 'forward us', 'faint']];
      const x = span(rows.map(row => row.freedoms));
      const y = span(rows.flatMap(row => columns.map(([, column]) => row[column])));
      const titles = {chain: 'Chains with one goal', tree: 'Trees with ten degrees of freedom a goal, and ten more'};
      const panels = grid(parent, 2);
      for (const {label, rows: part} of facets(rows, ['figure']))
        plot(panels, titles[label] ?? label, 380, () => curves(
          [...columns.map(([name, column, hue]) => (
             {name, hue, points: part.map(row => ({x: row.freedoms, y: row[column], row}))})),
           {name: 'in proportion', hue: 'faint', dashed: true, points: proportion(part, 'freedoms', 'solve us')}],
          axis('degrees of freedom', plain, x), axis('time', time, y)));
    },
  },
  motion: {
    heading: 'Motions',
    note: 'Left: time a frame, or a query; shorter is better. Pale: ended without having converged. Right: how far a ' +
      'foot moved along the ground at most while it should stand, before and after it was held.',
    winners: () => [],
    draw(parent, rows) {
      const own = rows.map(row => ({...row, label: `${row.part}, ${row.frames}`, hue: 'automatic'}));
      const slid = own.filter(row => number(row['slid mm'])).flatMap(row => [
        {...row, label: row.part + ': before', hue: 'faint', mm: row['slides mm']},
        {...row, label: row.part + ': after', mm: row['slid mm']},
      ]);
      const times = span(own.map(row => row.us), {bars: true});
      const ways = span(slid.map(row => row.mm), {floor: SLIDING_FLOOR, bars: true});
      times.max *= 5;  // room for the texts beside the bars
      ways.max *= 5;
      const panels = grid(parent, 2);
      for (const {label, rows: part} of facets(own, ['motion'])) {
        plot(panels, label + ': time a frame', 50 + 26 * part.length,
             () => bars(part, 'us', axis('', time, times), time, row => row.exit !== null && row.exit !== 'converged'));
        const ours = slid.filter(row => row.motion === part[0].motion);
        plot(panels, label + ': sliding', 50 + 26 * ours.length,
             () => bars(ours, 'mm', axis('', unit('mm'), ways), unit('mm')));
      }
    },
  },
};

// A line of slope one from the first row's point on.
function proportion(rows, x, y) {
  const first = rows[0], last = rows.at(-1);
  return [first, last].map(row => ({x: row[x], y: first[y] * row[x] / first[x]}));
}

// The rows by the values of some columns, with a name for each part.
function facets(rows, columns) {
  const parts = new Map();
  for (const row of rows) {
    const label = columns.map(column => named(column, row[column])).join(', ');
    if (!parts.has(label)) parts.set(label, []);
    parts.get(label).push(row);
  }
  return [...parts].map(([label, part]) => ({label, rows: part}));
}
function named(column, value) {
  if (column === 'root') return 'root ' + value;
  if (column === 'every') return value === 1 ? 'every frame' : `every ${value}th frame`;
  if (column === 'start') return 'from ' + (value === 'rest' ? 'rest' : 'the ' + value);
  if (column === 'goal') return 'goal ' + value;
  if (column === 'iterations') return value + ' iterations a frame';
  return String(value).replace(/\.urdf$/, '');
}

// The methods by their least time.
function quickest(rows, column) {
  const times = new Map();
  for (const row of rows)
    if (number(row[column])) times.set(row.method, Math.min(row[column], times.get(row.method) ?? Infinity));
  return [...times].map(([method, time]) => ({method, time})).sort((a, b) => a.time - b.time);
}
const solvedBest = ({label, rows}) => {
  const best = Math.max(...rows.map(row => row['solved %'] ?? 0));
  const of = `within 1 % of the most solved, ${percent(best)}`;
  return {label, best: quickest(rows.filter(mostSolved(rows)), 'median us'), of};
};

function solvedAndTime(parent, rows, by) {
  const panels = grid(parent, 2);
  const times = span(rows.map(row => row['median us']), {bars: true});
  const share = () => linear('', value => value + ' %', {min: 0, max: 112}, [0, 20, 40, 60, 80, 100]);
  for (const {label, rows: part} of facets(rows, by)) {
    const good = mostSolved(part);
    plot(panels, label + ': solved', barHeight(part),
         () => bars(part, 'solved %', share(), percent, row => !good(row)));
    plot(panels, label + ': median time', barHeight(part),
         () => bars(part, 'median us', axis('', time, times), time, row => !good(row)));
  }
}
