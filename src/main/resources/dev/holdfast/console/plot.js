import { Chart } from './lib.js';

const COLOURS = ['--plot-1', '--plot-2', '--plot-3', '--plot-4', '--plot-5', '--plot-6'];

/** The radius of a point: one without neighbours has no line that shows it. */
const alone = (value, i, values) => (value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null ? 2 : 0);

/** In a shorter time minutes alone would come twice. */
const BRIEF_MILLIS = 10 * 60_000;

/** Ticks of sizes are at powers of two, or they would be at 93.1 GiB. */
const sizeStep = values => 2 ** Math.ceil(Math.log2(Math.max(1, ...values) / 3));

/**
 * Lines over time. `series` is a list of `name` and `values`, `at` their times; `format` writes a value, `sizes` says that
 * they are of bytes; `label` says what is seen to who can't see it.
 */
class Plot extends HTMLElement {
  #chart = null;
  #data = null;
  #themed = () => { this.#dress(); this.#chart?.update('none'); };

  set data(data) {
    if (data === this.#data) {
      return;
    }
    this.#data = data;
    if (this.#chart) {
      this.#fill();
    }
  }

  connectedCallback() {
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    this.replaceChildren(canvas);
    this.#chart = new Chart(canvas, {
      type: 'line',
      data: { labels: [], datasets: [] },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        elements: { point: { hitRadius: 6 }, line: { borderWidth: 1.75, cubicInterpolationMode: 'monotone' } },
        plugins: { legend: { display: false }, tooltip: { padding: 10, boxPadding: 4, usePointStyle: true } },
        scales: {
          x: { grid: { display: false }, ticks: { maxTicksLimit: 6, maxRotation: 0 } },
          y: { beginAtZero: true, grace: '8%', border: { display: false }, ticks: { maxTicksLimit: 4 } },
        },
      },
    });
    document.addEventListener('theme', this.#themed);
    if (this.#data) {
      this.#fill();
    }
  }

  disconnectedCallback() {
    document.removeEventListener('theme', this.#themed);
    this.#chart.destroy();
    this.#chart = null;
  }

  #fill() {
    const { at, series, format, sizes, label } = this.#data;
    const { x, y } = this.#chart.options.scales;
    const shown = new Date(at.at(-1)) - new Date(at[0]) < BRIEF_MILLIS ? 'hh:mm:ss'.length : 'hh:mm'.length;
    x.ticks.callback = function (value) { return this.getLabelForValue(value).slice(0, shown); };
    y.ticks.stepSize = sizes ? sizeStep(series.flatMap(line => line.values)) : undefined;
    this.#chart.data.labels = at.map(time => new Date(time).toLocaleTimeString('en-GB'));
    this.#chart.data.datasets = series.map((line, i) => ({ ...this.#chart.data.datasets[i], label: line.name, data: line.values, pointRadius: line.values.map(alone), fill: series.length === 1 }));
    y.ticks.callback = format;
    this.#chart.options.plugins.tooltip.callbacks.label = item => ` ${item.dataset.label}: ${format(item.parsed.y)}`;
    this.#chart.canvas.setAttribute('aria-label', label);
    this.#dress();
    this.#chart.update('none');
  }

  /** In the colours of the theme. */
  #dress() {
    const colour = name => {
      this.style.color = `var(${name})`;
      return getComputedStyle(this).color;
    };
    const { scales, plugins } = this.#chart.options;
    for (const axis of [scales.x, scales.y]) {
      axis.ticks.color = colour('--muted');
      axis.ticks.font = { size: 11 };
    }
    scales.y.grid.color = colour('--line');
    scales.x.border.color = colour('--line');
    Object.assign(plugins.tooltip, {
      backgroundColor: colour('--raised'), titleColor: colour('--ink'), bodyColor: colour('--ink'), borderColor: colour('--line-strong'), borderWidth: 1,
    });
    this.#chart.data.datasets.forEach((dataset, i) => {
      const ink = colour(COLOURS[i % COLOURS.length]);
      Object.assign(dataset, { borderColor: ink, pointBackgroundColor: ink, backgroundColor: ink.replace(')', ', 0.12)') });
    });
  }
}

customElements.define('hf-plot', Plot);
