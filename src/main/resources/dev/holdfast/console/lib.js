// The libraries, from their webjars: the one place that names their versions.
export { html, nothing, render } from './webjars/lit-html/3.3.2/lit-html.js';
export { repeat } from './webjars/lit-html/3.3.2/directives/repeat.js';

// Chart.js as one file, which makes a global of itself.
import './webjars/chart.js/4.4.9/dist/chart.umd.js';
export const Chart = globalThis.Chart;
