// Methods, numbers, axes, and the kinds of plot: lines of marks, curves with a legend, and lying bars. What is here makes
// configurations of Chart.js and puts nothing on the page.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const hidden = new Set();

// --- Methods: the same colour and the same mark in every plot

const SHAPES = [  // style, rotation
  ['circle', 0], ['triangle', 0], ['rect', 0], ['rectRot', 0], ['triangle', 180], ['cross', 0], ['crossRot', 0],
  ['star', 0], ['triangle', 90], ['triangle', 270],
];

const names = [...data.methods];
for (const task of data.tasks)
  for (const row of task.rows)
    if (row.method && !names.includes(row.method)) names.push(row.method);
const measured = names.filter(name => data.tasks.some(task => task.rows.some(row => row.method === name)));
const isPeer = name => !data.methods.includes(name);
const ours = measured.filter(name => !isPeer(name)), peers = measured.filter(isPeer);

const css = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const colour = name => (isPeer(name) ? css('peer-' + peers.indexOf(name) % 4) : css(name)) || css('faint');
const shape = name => SHAPES[(isPeer(name) ? peers.indexOf(name) + 2 : ours.indexOf(name)) % SHAPES.length];
const shown = rows => measured.filter(name => !hidden.has(name) && rows.some(row => row.method === name));

// --- Numbers

function digits(value, count = 3) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(count - 1).replace('e+', 'e');
  const after = Math.max(0, count - 1 - Math.floor(Math.log10(size)));
  const text = value.toFixed(Math.min(after, 8));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
// In the largest unit that leaves a digit before the point.
const inUnits = units => value => {
  const [size, name] = units.find(([size]) => value >= 0.9995 * size) ?? units.at(-1);
  return digits(value / size) + ' ' + name;
};
const time = inUnits([[1e6, 's'], [1e3, 'ms'], [1, 'µs']]);
const length = inUnits([[1, 'cm'], [0.1, 'mm'], [1e-4, 'µm']]);
const unit = name => value => digits(value) + ' ' + name;
const percent = value => digits(value, 4) + ' %';
const plain = value => digits(value);
const number = value => typeof value === 'number' && Number.isFinite(value);
const distinct = values => [...new Set(values)];
const where = (rows, wanted) => rows.filter(row => Object.entries(wanted).every(([key, value]) => row[key] === value));

// --- Axes

// From below the least to above the greatest of the values above the floor. Bars begin at a power of ten.
function span(values, {floor = 0, bars = false} = {}) {
  const good = values.filter(value => number(value) && value > floor);
  if (good.length === 0) return {min: floor || 1, max: (floor || 1) * 10};
  const low = Math.min(...good), high = Math.max(...good);
  const min = bars ? 10 ** Math.floor(Math.log10(low / 1.3)) : low / 1.4;
  return {min: Math.max(min, floor), max: high * (bars ? 6 : 1.4)};
}

// Powers of ten; 2 and 5 between them where there are few.
function logTicks(scale) {
  const decades = Math.log10(scale.max / scale.min);
  const parts = decades < 1.5 ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil(decades / 8));
  scale.ticks = [];
  for (let k = Math.floor(Math.log10(scale.min)); k <= Math.log10(scale.max); ++k)
    for (const part of parts) {
      const value = part * 10 ** k;
      if (k % step === 0 && value >= scale.min * 0.999 && value <= scale.max * 1.001) scale.ticks.push({value});
    }
}

function axis(title, format, limits) {
  return {
    type: 'logarithmic',
    ...limits,
    title: {display: Boolean(title), text: title, color: css('faint')},
    ticks: {callback: value => format(value), color: css('faint'), maxRotation: 0, autoSkip: false},
    grid: {color: css('line')},
    border: {color: css('line')},
    afterBuildTicks: logTicks,
  };
}

function linear(title, format, limits, ticks) {
  const put = scale => { scale.ticks = ticks.map(value => ({value})); };
  return {...axis(title, format, limits), type: 'linear', afterBuildTicks: put};
}

const tooltip = lines => ({callbacks: {title: () => '', label: item => lines(item)}, displayColors: false});

// --- Three kinds of plot

// A line a method through its points {x, y, row}.
function lines(rows, points, x, y, tell, radius = () => 4) {
  const datasets = shown(rows).map(name => ({
    label: name,
    data: points(rows.filter(row => row.method === name)).filter(point => number(point.x) && number(point.y)),
    borderColor: colour(name),
    backgroundColor: colour(name),
    borderWidth: isPeer(name) ? 1.2 : 1.6,
    borderDash: isPeer(name) ? [4, 3] : [],
    pointStyle: shape(name)[0],
    pointRotation: shape(name)[1],
    pointRadius: context => context.raw ? radius(context.raw.row) : 4,
    pointHoverRadius: 8,
    pointBorderWidth: 1.5,
  }));
  return {
    type: 'line',
    data: {datasets},
    options: {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      scales: {x, y},
      interaction: {mode: 'nearest', intersect: true},
      plugins: {legend: {display: false}, tooltip: tooltip(item => tell(item.raw.row, item.raw))},
    },
  };
}

// Curves of one method, {name, hue, dashed, points: {x, y, row}}, with a legend.
function curves(series, x, y) {
  const datasets = series.map(({name, hue, dashed, points}) => ({
    label: name,
    data: points,
    borderColor: css(hue),
    backgroundColor: css(hue),
    borderWidth: dashed ? 1 : 1.6,
    borderDash: dashed ? [4, 4] : [],
    pointRadius: dashed ? 0 : 4,
    pointHoverRadius: dashed ? 0 : 8,
  }));
  return {
    type: 'line',
    data: {datasets},
    options: {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      scales: {x, y},
      interaction: {mode: 'nearest', intersect: true},
      plugins: {
        legend: {labels: {color: css('ink'), boxHeight: 1}},
        tooltip: tooltip(item => item.raw.row ? told(item.raw.row) : ''),
      },
    },
  };
}

// The value beside its bar; what has none was rejected or not measured.
const barText = {
  id: 'barText',
  afterDatasetsDraw(chart, args, {texts}) {
    if (!texts) return;
    const {ctx, chartArea} = chart;
    ctx.save();
    ctx.font = '11px ' + Chart.defaults.font.family;
    ctx.fillStyle = css('ink');
    ctx.textBaseline = 'middle';
    chart.getDatasetMeta(0).data.forEach((bar, k) => {
      const end = number(chart.data.datasets[0].data[k]) ? Math.max(bar.x, chartArea.left) : chartArea.left;
      ctx.fillText(texts[k], end + 5, bar.y);
    });
    ctx.restore();
  },
};

// A bar a method, or a row with a label and a hue of its own; lying. `pale` says which rows did not do what was asked.
function bars(rows, column, scale, format, pale = () => false) {
  const kept = rows.some(row => row.label) ? rows : shown(rows).map(name => rows.find(row => row.method === name));
  const hue = row => row.hue ? css(row.hue) : colour(row.method);
  return {
    type: 'bar',
    data: {
      labels: kept.map(row => row.label ?? row.method),
      datasets: [{
        data: kept.map(row => number(row[column]) ? Math.max(row[column], scale.min) : null),
        backgroundColor: kept.map(row => hue(row) + (pale(row) ? '55' : '')),
        borderColor: kept.map(hue),
        borderWidth: 1,
        barPercentage: 0.86,
        categoryPercentage: 0.92,
      }],
    },
    options: {
      indexAxis: 'y',
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: scale,
        y: {ticks: {color: css('ink'), autoSkip: false}, grid: {display: false}, border: {color: css('line')}},
      },
      plugins: {
        legend: {display: false},
        barText: {texts: kept.map(row => number(row[column]) ? format(row[column]) : '–')},
        tooltip: tooltip(item => told(kept[item.dataIndex])),
      },
    },
    plugins: [barText],
  };
}

// All columns of a row, for a tooltip.
const told = row => Object.entries(row).filter(([, value]) => value !== null).map(
  ([key, value]) => key + ': ' + (number(value) ? digits(value, 4) : value));
