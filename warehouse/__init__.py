"""Storage: contracts, landing, manifests, dbt builds, published states."""
