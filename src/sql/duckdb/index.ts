/**
 * DuckDB as a `SqlClient`: tables of a file, and Parquet, CSV and JSON files as tables.
 *
 * @since 0.1.0
 */
export * as DuckDbClient from "../DuckDbClient.js"
