export * from "../../examples/internal/postgres.js"
