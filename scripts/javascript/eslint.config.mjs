// What ESLint looks for in the pages' scripts: mistakes, not style. The rules that it recommends come first.
import { createRequire } from "node:module";

const installed = createRequire(process.argv[1]); // beside ESLint, wherever that was put
const js = installed("@eslint/js");

export default [
  {
    files: ["**/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: { ecmaVersion: 2025, sourceType: "module" },
    rules: {
      ...js.configs.recommended.rules,
      "no-undef": "off", // tsc knows a browser's names better
      "array-callback-return": "error",
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-duplicate-imports": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  // These are no modules: the browser runs them as they come.
  { files: ["**/static/base.js", "**/present/page/*.js"], languageOptions: { sourceType: "script" } },
];
